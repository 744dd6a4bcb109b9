/* C17 7.12.9.3, in the direction that fesetround chose; any argument. */
#include "real.h"

real REAL(nearbyint)(real x)
{
    return real_whole(x);
}
