/* C17 7.12.5.1: at least 0, or NaN below 1. */
#include "belay.h"

float acoshf(float x)
{
    if (!(x >= 1)) {
        if (x == x)
            errno = 33; /* EDOM */
        return (x - x) / (x - x);
    }
    return (float)belay_result_between(0, __builtin_inf(), "acoshf");
}
