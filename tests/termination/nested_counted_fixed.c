//~ termination: true
//~ unreach-call: true
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), steps = 0;
    for (int i = 0; i < n; i++)
        for (int j = 10; j > 0; j--)
            for (unsigned k = 0; k < 5u; k++)
                steps ^= k;
    return steps;
}
