/* C17 7.12.6.12: the whole part to *whole, the fraction as result, both with the sign of x. whole points to a double. */
#include "real.h"

real REAL(modf)(real x, real *whole)
{
    *whole = BUILTIN(trunc)(x);
    if (x != x)
        return x;
    real fraction = x - x != 0 ? 0 : x - *whole; /* none of what is infinite */
    return BUILTIN(copysign)(fraction, x);
}
