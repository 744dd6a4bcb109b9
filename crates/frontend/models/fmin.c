/* C17 7.12.12.3: a nan counts as missing. Of two zeros the first in runs; C leaves it open, and proofs cover both. */
#include "belay.h"

double fmin(double x, double y)
{
    if (x != x)
        return y;
    if (x == 0 && y == 0 && belay_otherwise("which of two zeros is the greater is open"))
        return y;
    return y < x ? y : x;
}
