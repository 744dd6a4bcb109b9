/* C17 7.12.9.4 with rounding to nearest, the only direction that is modelled; any argument. */
#include "real.h"

real REAL(rint)(real x)
{
    return BUILTIN(rint)(x);
}
