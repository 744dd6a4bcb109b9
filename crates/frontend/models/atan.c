/* C17 7.12.4.3: an angle of at most a right one. */
#include "belay.h"

double atan(double x)
{
    if (x != x)
        return x;
    return belay_result_between(-1.5708, 1.5708, "atan");
}
