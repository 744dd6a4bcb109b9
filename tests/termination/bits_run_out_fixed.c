//~ termination: true
// (x, y) in lexicographic order: a shift of x may set y anew.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = __VERIFIER_nondet_uint();
    while (x != 0 && y != 0) {
        if (__VERIFIER_nondet_uint()) {
            x >>= 1;
            y = __VERIFIER_nondet_uint();
        } else {
            y &= y - 1;
        }
    }
    return 0;
}
