//~ no-overflow: true
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned high = __VERIFIER_nondet_uchar();
    unsigned word = high << 24;
    return word == 0;
}
