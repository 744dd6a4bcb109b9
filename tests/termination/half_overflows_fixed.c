//~ termination: true
// A number of less than half the range can be doubled.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int old = __VERIFIER_nondet_int();
    int next = __VERIFIER_nondet_int();
    while (next > 1 && next < 1000000000 && 2 * next <= old) {
        old = next;
        next = __VERIFIER_nondet_int();
    }
    return 0;
}
