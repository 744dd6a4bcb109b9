/* C17 7.12.6.13: ldexp, FLT_RADIX being 2. */
#include "belay.h"

double scalbn(double x, int n)
{
    return ldexp(x, n);
}
