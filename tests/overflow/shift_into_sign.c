//~ no-overflow: unknown
// A value shifted left past its type's largest number: a bad shift, and to some an overflow.
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int high = __VERIFIER_nondet_uchar();
    int word = high << 24; //~ false(arithmetic)
    return word == 0;
}
