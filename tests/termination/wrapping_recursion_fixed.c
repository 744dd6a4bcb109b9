//~ termination: true
/* The loop is never entered, and the recursion goes round once. */
extern unsigned char __VERIFIER_nondet_uchar(void);
static int again(signed char n) {
    if (n == 5) return 1;
    return again(n - 1) + again(n - 1);
}
int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    signed char c = 50;
    while (c > 100)
        if (a % 5 > 0) c = 100;
    return again(a & 15);
}
