//~ termination: true
// First z turns negative, then x positive, and then the distance from y to x shrinks by products.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    if (x < -1000 || x > 1000 || y < -1000 || z < -100 || z > 100) return 0;
    while (x >= y && x < 10000 && z > -100 && x > -100000) {
        if (__VERIFIER_nondet_int()) {
            x = x + 1;
            y = y + x;
        } else {
            x = x - z;
            y = y + z * z;
            z = z - 1;
        }
    }
    return 0;
}
