//~ termination: true
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    for (unsigned i = __VERIFIER_nondet_uint(); i > 0; i--)
        ;
    return 0;
}
