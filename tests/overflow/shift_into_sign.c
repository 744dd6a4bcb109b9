// A value shifted left past its type's largest number overflows, though it is neither negative nor shifted too far.
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int high = __VERIFIER_nondet_uchar();
    int word = high << 24; //~ false(no-overflow)
    return word == 0;
}
