// The counter bounds the rounds, and so the sum.
//~ options: --engines structural,values --property no-overflow
//~ no-overflow: true
int __VERIFIER_nondet_int(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 50; j++) sum += __VERIFIER_nondet_int() & 1023;
    return sum;
}
