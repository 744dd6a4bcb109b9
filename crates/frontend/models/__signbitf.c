/* C17 7.12.3, glibc: not 0 if the sign bit is set (glibc: the bit's weight). Any argument. */
#include "belay.h"

static uint32_t to_bits(float x)
{
    union { float value; uint32_t bits; } pun = {x};
    return pun.bits;
}

int __signbitf(float x)
{
    return (int)(to_bits(x) >> (32 - 32) & 0x80000000u);
}
