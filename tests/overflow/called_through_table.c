// One of the functions in a table overflows.
int __VERIFIER_nondet_int(void);
static int zero(int x) { return x - x; }
static int next(int x) { return x + 1; } //~ false(no-overflow)
static int (*const table[2])(int) = {zero, next};
int main(void) { return table[__VERIFIER_nondet_int() & 1](2147483647); }
