//~ termination: true
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n & ~7u) n = (n & ~7u) - 1;
    return n;
}
