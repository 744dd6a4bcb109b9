/* C17 7.12.8.2: a number of [0, 2]. */
#include "belay.h"

double erfc(double x)
{
    if (x != x)
        return x;
    return belay_result_between(0, 2, "erfc");
}
