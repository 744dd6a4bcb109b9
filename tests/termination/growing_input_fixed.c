//~ options: --integers unbounded
//~ termination: true
// Each input is at most half the one before.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int old = __VERIFIER_nondet_int();
    int next = __VERIFIER_nondet_int();
    while (next > 1 && 2 * next <= old) {
        old = next;
        next = __VERIFIER_nondet_int();
    }
    return 0;
}
