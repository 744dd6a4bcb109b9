/* C17 7.12.6.3: at least -1. */
#include "belay.h"

double expm1(double x)
{
    if (x != x)
        return x;
    return belay_result_between(-1, __builtin_inf(), "expm1");
}
