/* C17 7.12.12.1: x - y if x > y, else +0, nan if either is; ERANGE if it overflows. */
#include "belay.h"

double fdim(double x, double y)
{
    if (x <= y)
        return 0;
    double difference = x - y;
    if (difference - difference != 0 && x - x == 0 && y - y == 0)
        errno = ERANGE;
    return difference;
}
