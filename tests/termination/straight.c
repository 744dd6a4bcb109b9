//~ termination: false
extern int __VERIFIER_nondet_int(void);

static int even(int n) { return n % 2 == 0; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (even(n))
        for (;;)
            ;
    return 1;
}
