//~ termination: false
// The greater of the two may stay the same.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0 && y > 0) {
        int other = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int()) {
            if (other > y) break;
            x = other;
        } else {
            x = x - 1;
            if (other > x) break;
            y = other;
        }
    }
    return 0;
}
