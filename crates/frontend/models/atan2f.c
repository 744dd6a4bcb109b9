/* C17 7.12.4.4: an angle of at most a straight one. */
#include "belay.h"

float atan2f(float y, float x)
{
    if (y != y || x != x)
        return y + x;
    return (float)belay_result_between(-3.1416, 3.1416, "atan2f");
}
