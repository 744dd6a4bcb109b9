//~ termination: false
/* The inner call makes no progress. */
extern int __VERIFIER_nondet_int(void);
static int f(int n) {
    if (n > 100) return n - 10;
    return f(f(n));
}
int main(void) { return f(__VERIFIER_nondet_int()); }
