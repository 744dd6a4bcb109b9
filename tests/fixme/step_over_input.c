//~ termination: unknown
extern int __VERIFIER_nondet_int(void);

/* For machine integers and n = INT_MAX the counter wraps past the bound: this must never be called proved. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i += 2)
        ;
    return 0;
}
