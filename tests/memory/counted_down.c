// Counts down to -1: one element more.
extern int __VERIFIER_nondet_int(void);

static int chosen[10];

int main(void) {
    int n = __VERIFIER_nondet_int(), used = 0;
    if (n > 10)
        n = 10;
    while (n-- >= 0)
        if (__VERIFIER_nondet_int())
            chosen[used++] = n;
    return 0;
}

//~ options: --engines graph
//~ memsafety: unknown
