/* C17 7.12.6.11: the exponent of x; minus infinity with ERANGE for zero, infinity for infinite x. */
#include "real.h"

int REAL(ilogb)(real x);

real REAL(logb)(real x)
{
    if (x - x != 0)
        return x * x;
    if (x == 0) {
        errno = ERANGE;
        return -BUILTIN(inf)();
    }
    return (real)REAL(ilogb)(x);
}
