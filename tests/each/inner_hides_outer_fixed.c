// The number is 1 or 2.
//~ options: --each-loop --property termination --time-limit 10
int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned step = 1, n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    while (m > 3) {                      //~ ends
        step = m % 2 + 1;
        m = m - 1;
    }
    while (n > 0 && n < 1000) n -= step; //~ ends
    return 0;
}
