/* C17 7.12.6.2: at least 0. */
#include "belay.h"

double exp2(double x)
{
    if (x != x)
        return x;
    return belay_result_between(0, __builtin_inf(), "exp2");
}
