//~ termination: true
static void bump(unsigned char *p) { ++*p; }
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char a = 0, b = __VERIFIER_nondet_uchar();
    while (b >= 100 || a < 200) {
        a = b;
        bump(&b);
    }
    return 0;
}
