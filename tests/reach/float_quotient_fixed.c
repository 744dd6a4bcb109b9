// Quotients, products, sums and differences of constants.
//~ unreach-call: true
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    double a = 6, b = 2;
    float c = 1, d = 4;
    if (__VERIFIER_nondet_int() == 7)
        assert(a / b == 3 && a * b == 12 && a + b == 8 && a - b == 4 && c / d == 0.25f && c * d == 4 && c + d == 5 && c - d == -3);
    return 0;
}
