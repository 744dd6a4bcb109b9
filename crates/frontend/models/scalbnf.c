/* C17 7.12.6.13: ldexp, FLT_RADIX being 2. */
#include "belay.h"

float scalbnf(float x, int n)
{
    return ldexpf(x, n);
}
