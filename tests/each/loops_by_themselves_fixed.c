// With a number that gets smaller.
//~ options: --each-loop --property termination --time-limit 10
int __VERIFIER_nondet_int(void);
unsigned half(unsigned n) { return n / 2; }
int a[100];
int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    for (int i = 0; i < 100; i++) a[i] = i;  //~ ends
    while (n > 1) n = half(n);               //~ ends
    for (int i = 99; i >= 0; i--) a[i] = n;  //~ ends
    return 0;
}
