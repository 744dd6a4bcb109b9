/* C17 7.12.4.1: an angle between 0 and a straight one, or NaN outside [-1, 1]. */
#include "belay.h"

float acosf(float x)
{
    if (!(x >= -1 && x <= 1)) {
        if (x == x)
            errno = 33; /* EDOM */
        return (x - x) / (x - x);
    }
    return (float)belay_result_between(0, 3.1416, "acosf");
}
