/* C17 7.12.4.2: an angle of at most a right one, or NaN outside [-1, 1]. */
#include "belay.h"

double asin(double x)
{
    if (!(x >= -1 && x <= 1)) {
        if (x == x)
            errno = 33; /* EDOM */
        return (x - x) / (x - x);
    }
    return belay_result_between(-1.5708, 1.5708, "asin");
}
