// What comes after a broken promise to the compiler is not known: no proof may rest on the run's ending there.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 0) {
        if (n == 5)
            __builtin_unreachable();
        if (n != 5)
            n--;
    }
    return 0;
}

//~ termination: unknown
