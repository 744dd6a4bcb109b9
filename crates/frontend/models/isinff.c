/* C17 7.12.3, glibc: 1 for plus infinity, -1 for minus infinity, else 0. Any argument. */
#include "belay.h"

static uint32_t to_bits(float x)
{
    union { float value; uint32_t bits; } pun = {x};
    return pun.bits;
}

int isinff(float x)
{
    uint32_t magnitude = to_bits(x) & ~(UINT32_C(1) << (32 - 1));
    if (magnitude != (uint32_t)0xff << 23)
        return 0;
    return to_bits(x) == magnitude ? 1 : -1;
}
