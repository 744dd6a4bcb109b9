//~ options: --data-model ILP32
//~ no-overflow: true
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    long long high = __VERIFIER_nondet_uint();
    long long word = high << 31;
    return word == 0;
}
