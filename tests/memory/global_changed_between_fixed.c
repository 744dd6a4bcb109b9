// It is used as it was tested.
//~ options: --engines structural,values --property memsafety
//~ memsafety: true
int __VERIFIER_nondet_int(void);
static int table[10], n;
static int twice(int x) { return x / 2; }
int main(void) {
    n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 10) {
        int y = twice(n);
        table[n] = y;
    }
    return 0;
}
