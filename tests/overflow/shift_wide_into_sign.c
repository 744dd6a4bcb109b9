//~ no-overflow: unknown
//~ options: --data-model ILP32
// The same where the check's handler gets the value by address.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    long long high = __VERIFIER_nondet_uint();
    long long word = high << 32; //~ false(arithmetic)
    return word == 0;
}
