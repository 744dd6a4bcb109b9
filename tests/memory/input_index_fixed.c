//~ memsafety: true
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char a[256] = {0};
    unsigned char i = __VERIFIER_nondet_uchar();
    return a[i];
}
