/* C17 7.12.7.2: the sign bit cleared; any argument. */
#include "real.h"

real REAL(fabs)(real x)
{
    return BUILTIN(fabs)(x);
}
