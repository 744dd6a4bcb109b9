//~ termination: true
extern int __VERIFIER_nondet_int(void);
static int least(int n) {
    if (n <= 0) return -1;
    return least(n - 1);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n >= 0) n = least(n);
    return 0;
}
