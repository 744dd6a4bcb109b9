//~ termination: false
extern unsigned __VERIFIER_nondet_uint(void);

/* Endless for n = UINT_MAX: this must never be called proved. */
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i <= n; i++)
        ;
    return 0;
}
