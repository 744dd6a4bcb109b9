//~ termination: true
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), old;
    while (x > 1 && x < old && old > 0) {
        old = x;
        x = __VERIFIER_nondet_int();
    }
    return 0;
}
