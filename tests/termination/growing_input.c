//~ options: --integers unbounded
//~ termination: false(termination)
// Each input is at least twice the one before: among integers of any size that goes on for ever.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int old = 1;
    int next = __VERIFIER_nondet_int();
    while (next > 1 && next >= 2 * old) {
        old = next;
        next = __VERIFIER_nondet_int();
    }
    return 0;
}
