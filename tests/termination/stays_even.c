//~ termination: false
/* No state recurs for two thousand million rounds. */
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_int()) {
        x += 2;
        if (x % 2) return 1;
    }
    return 0;
}
