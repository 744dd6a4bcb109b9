//~ unreach-call: unknown(float arithmetic in a direction other than to nearest)
// Sums are only known to nearest.
#include <fenv.h>
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    fesetround(FE_UPWARD);
    float y = x + 0.1f;
    __VERIFIER_assert(y >= x || x != x);
    return 0;
}
