//~ termination: false
/* least(0) is 0: the loop stays where it is. */
extern int __VERIFIER_nondet_int(void);
static int least(int n) {
    if (n <= 0) return 0;
    return least(n - 1);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n >= 0) n = least(n);
    return 0;
}
