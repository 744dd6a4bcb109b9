//~ termination: false
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned sum = 0;
    for (unsigned i = 0; i <= n; i += 0)
        sum += 3;
    return sum != 0;
}
