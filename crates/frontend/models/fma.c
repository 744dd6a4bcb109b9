/* C17 7.12.13.1: x * y + z, rounded once. */
#include "belay.h"

double fma(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}
