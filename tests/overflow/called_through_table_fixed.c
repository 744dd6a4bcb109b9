// None of them does.
//~ options: --engines structural,values --property no-overflow
//~ no-overflow: true
int __VERIFIER_nondet_int(void);
static int zero(int x) { return x & 1; }
static int next(int x) { return x - 1; }
static int (*const table[2])(int) = {zero, next};
int main(void) { return table[__VERIFIER_nondet_int() & 1](2147483647); }
