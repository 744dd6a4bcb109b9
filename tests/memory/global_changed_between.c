// A global is tested, changed by a callee, and used.
int __VERIFIER_nondet_int(void);
static int table[10], n;
static void more(void) { n += 9; }
int main(void) {
    n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 10) {
        more();
        table[n] = 1; //~ false(valid-deref)
    }
    return 0;
}
