//~ termination: true
extern int __VERIFIER_nondet_int(void);
static int odd(int n);
static int even(int n) { if (n <= 0) return 1; return odd(n - 1); }
static int odd(int n) { if (n <= 0) return 0; return even(n - 1); }
int main(void) { int k = __VERIFIER_nondet_int(); int s = 0; while (k > 0) { s += even(k); k--; } return s; }
