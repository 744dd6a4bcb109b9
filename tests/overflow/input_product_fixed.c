//~ no-overflow: true
//~ arithmetic: true
//~ termination: true
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    return (int)(a * a);
}
