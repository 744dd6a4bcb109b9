/* C17 7.12.5.4: at least 1. */
#include "belay.h"

double cosh(double x)
{
    if (x != x)
        return x;
    return belay_result_between(1, __builtin_inf(), "cosh");
}
