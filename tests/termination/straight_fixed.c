//~ termination: true
extern int __VERIFIER_nondet_int(void);

static int even(int n) { return n % 2 == 0; }

/* Neither loop nor recursion. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (even(n))
        return 0;
    return 1;
}
