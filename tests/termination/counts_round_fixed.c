//~ termination: true
// The distance from x up to n, wrapping around, gets smaller: neither n - x nor any other sum does.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned n = __VERIFIER_nondet_uint();
    while (x != n)
        x++;
    return 0;
}
