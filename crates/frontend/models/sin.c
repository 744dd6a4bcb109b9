/* C17 7.12.4.6: a number of [-1, 1], or NaN for an infinite argument. */
#include "belay.h"

double sin(double x)
{
    if (x - x != 0) {
        if (x == x)
            errno = 33; /* EDOM */
        return x - x;
    }
    return belay_result_between(-1, 1, "sin");
}
