// The loop is only left for code that the compiler was told is not reached: such a run has no verdict.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = 0, n = __VERIFIER_nondet_int();
    while (1) {
        if (i > 100)
            __builtin_unreachable();
        i++;
        n ^= 1;
    }
    return n;
}

//~ termination: unknown
