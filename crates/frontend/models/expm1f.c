/* C17 7.12.6.3: at least -1. */
#include "belay.h"

float expm1f(float x)
{
    if (x != x)
        return x;
    return (float)belay_result_between(-1, __builtin_inf(), "expm1f");
}
