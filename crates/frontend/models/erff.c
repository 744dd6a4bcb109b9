/* C17 7.12.8.1: a number of [-1, 1]. */
#include "belay.h"

float erff(float x)
{
    if (x != x)
        return x;
    return (float)belay_result_between(-1, 1, "erff");
}
