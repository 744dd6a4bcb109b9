/* C17 7.12.5.6: a number of [-1, 1]. */
#include "belay.h"

float tanhf(float x)
{
    if (x != x)
        return x;
    return (float)belay_result_between(-1, 1, "tanhf");
}
