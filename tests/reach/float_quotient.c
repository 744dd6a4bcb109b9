// A quotient of two constants is no product of them.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    double a = 6, b = 2;
    float c = 1, d = 4;
    if (__VERIFIER_nondet_int() == 7) assert(a / b == 12 || c / d == 4); //~ false(unreach-call)
    return 0;
}
