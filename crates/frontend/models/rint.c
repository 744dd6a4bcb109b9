/* C17 7.12.9.4, in the direction that fesetround chose; any argument. */
#include "real.h"

real REAL(rint)(real x)
{
    return real_whole(x);
}
