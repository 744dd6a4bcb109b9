/* C17 7.12.9.7: round as long; the result that does not fit is C's to leave open, here any number. */
#include "belay.h"

long lroundf(float x)
{
    float whole = roundf(x);
    const double least = (double)LONG_MIN;
    if (!(whole >= least && whole < -least))
        return (long)__VERIFIER_nondet_longlong();
    return (long)whole;
}
