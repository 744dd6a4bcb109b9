//~ termination: false
/* What a variable that was not set holds may be what keeps the loop going. */
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), old;
    while (x > 1 && x > old) {
        x = __VERIFIER_nondet_int();
    }
    return 0;
}
