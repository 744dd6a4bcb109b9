//~ arithmetic: true
//~ no-overflow: true
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char d = __VERIFIER_nondet_uchar();
    return (d & 3) >> 2;
}
