/* C17 7.12.3, glibc: 1 if x is a nan. Any argument. */
#include "belay.h"

static uint32_t to_bits(float x)
{
    union { float value; uint32_t bits; } pun = {x};
    return pun.bits;
}

int isnanf(float x)
{
    uint32_t magnitude = to_bits(x) & ~(UINT32_C(1) << (32 - 1));
    return magnitude > (uint32_t)0xff << 23;
}
