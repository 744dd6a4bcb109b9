//~ termination: true
extern int __VERIFIER_nondet_int(void);
static int g(int x);
static int f(int x) { return x <= 0 ? 0 : g(x) + g(x - 1); }
static int g(int x) { return x <= 0 ? 0 : f(x - 1) + f(x - 2); }
int main(void) { return g(__VERIFIER_nondet_int()); }
