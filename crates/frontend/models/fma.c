/* C17 7.12.13.1: x * y + z, rounded once. */
#include "real.h"

real REAL(fma)(real x, real y, real z)
{
    return BUILTIN(fma)(x, y, z);
}
