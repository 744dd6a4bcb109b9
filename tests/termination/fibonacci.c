//~ termination: false
extern int __VERIFIER_nondet_int(void);
static int fib(int n) { if (n < 2) return n; return fib(n) + fib(n - 2); }
int main(void) { return fib(__VERIFIER_nondet_int()); }
