/* C17 7.12.9.5: rint as long long; the result that does not fit is C's to leave open, here any number. */
#include "belay.h"

long long llrintf(float x)
{
    float whole = rintf(x);
    const double least = (double)LLONG_MIN;
    if (!(whole >= least && whole < -least))
        return (long long)__VERIFIER_nondet_longlong();
    return (long long)whole;
}
