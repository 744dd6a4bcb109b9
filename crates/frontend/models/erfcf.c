/* C17 7.12.8.2: a number of [0, 2]. */
#include "belay.h"

float erfcf(float x)
{
    if (x != x)
        return x;
    return (float)belay_result_between(0, 2, "erfcf");
}
