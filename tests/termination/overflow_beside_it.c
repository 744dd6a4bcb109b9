//~ termination: false
// The sum overflows, but nothing depends on it.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    for (unsigned i = 0; i < 10 || (n & 6) == 4; i++)
        sum += 3;
    return sum;
}
