// That a loop ends must not rest on what a loop before it may have left: the number that it counts down by may be 0.
//~ options: --each-loop --property termination --time-limit 10
int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned step = 1, n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    while (m > 3) {                      //~ ends
        step = step * 2;
        m = m - 1;
    }
    while (n > 0 && n < 1000) n -= step; //~ endless
    return 0;
}
