/* C17 7.12.13.1: x * y + z, rounded once. */
#include "belay.h"

float fmaf(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
