// C17 6.7.6.2p5: the length of an array is greater than zero.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    char a[n]; //~ false(valid-deref)
    for (int i = 0; i < n; i++) a[i] = 0;
    return 0;
}
