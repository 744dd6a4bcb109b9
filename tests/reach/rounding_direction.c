#include <fenv.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    int before = fegetround();
    fesetround(FE_DOWNWARD);
    double whole = rint(x);
    fesetround(FE_UPWARD);
    __VERIFIER_assert(rint(x) == whole); //~ false(unreach-call)
    fesetround(FE_DOWNWARD);
    __VERIFIER_assert(lrint(-2.5) == -3 && nearbyint(7.9) == 7.0);
    fesetround(before);
    __VERIFIER_assert(x != x || (whole <= x && whole == floor(x)));
    __VERIFIER_assert(rint(2.5) == 2.0);
    return 0;
}
