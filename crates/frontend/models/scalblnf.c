/* C17 7.12.6.13: ldexp, FLT_RADIX being 2. */
#include "belay.h"

float scalblnf(float x, long n)
{
    return ldexpf(x, n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n);
}
