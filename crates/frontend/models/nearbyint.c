/* C17 7.12.9.3 with rounding to nearest, the only direction that is modelled; any argument. */
#include "real.h"

real REAL(nearbyint)(real x)
{
    return BUILTIN(nearbyint)(x);
}
