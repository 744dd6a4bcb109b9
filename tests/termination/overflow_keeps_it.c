//~ termination: unknown
// Endless for the greatest n if i wraps, which C does not say: neither verdict would be everybody's.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i <= n; i++)
        ;
    return 0;
}
