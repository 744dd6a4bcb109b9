//~ termination: false
extern unsigned char __VERIFIER_nondet_uchar(void);
static int again(signed char n) {
    if (n == 5) return 1;
    return again(n - 2) + again(n - 2);
}
int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    signed char c = 50;
    while (c > 100)
        if (a % 5 > 0) c = 100;
    return again(a & 15);
}
