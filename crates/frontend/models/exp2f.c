/* C17 7.12.6.2: at least 0. */
#include "belay.h"

float exp2f(float x)
{
    if (x != x)
        return x;
    return (float)belay_result_between(0, __builtin_inf(), "exp2f");
}
