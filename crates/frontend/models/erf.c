/* C17 7.12.8.1: a number of [-1, 1]. */
#include "belay.h"

double erf(double x)
{
    if (x != x)
        return x;
    return belay_result_between(-1, 1, "erf");
}
