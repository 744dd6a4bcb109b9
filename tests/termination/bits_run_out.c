//~ termination: false
// Whether a bit is set anew depends on the input: with it the loop never empties x.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x != 0) {
        x >>= 1;
        if (__VERIFIER_nondet_uint())
            x |= 1;
    }
    return 0;
}
