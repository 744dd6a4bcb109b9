//~ termination: false
// Steps of two around the 256 values of a char never meet a number of the other parity.
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned char n = __VERIFIER_nondet_uchar();
    while (x != n)
        x += 2;
    return 0;
}
