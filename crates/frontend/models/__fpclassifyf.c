/* C17 7.12.3, glibc: 0 nan, 1 infinite, 2 zero, 3 subnormal, 4 normal. Any argument. */
#include "belay.h"

static uint32_t to_bits(float x)
{
    union { float value; uint32_t bits; } pun = {x};
    return pun.bits;
}

int __fpclassifyf(float x)
{
    uint32_t magnitude = to_bits(x) & ~(UINT32_C(1) << (32 - 1));
    if (magnitude >= (uint32_t)0xff << 23)
        return magnitude == (uint32_t)0xff << 23;
    if (magnitude >> 23 != 0)
        return 4;
    return magnitude == 0 ? 2 : 3;
}
