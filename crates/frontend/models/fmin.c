/* C17 7.12.12.3: a nan counts as missing. Of two zeros the first, C leaves it open. */
#include "belay.h"

double fmin(double x, double y)
{
    if (x != x)
        return y;
    return y < x ? y : x;
}
