/* C17 7.12.6.1: at least 0. */
#include "belay.h"

float expf(float x)
{
    if (x != x)
        return x;
    return (float)belay_result_between(0, __builtin_inf(), "expf");
}
