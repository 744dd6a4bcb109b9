//~ termination: unknown
// Only where twice the number overflows can it be less than the last one for ever; what comes after that C does not say.
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
