/* C17 7.12.11.1: any arguments. */
#include "real.h"

real REAL(copysign)(real x, real y)
{
    return BUILTIN(copysign)(x, y);
}
