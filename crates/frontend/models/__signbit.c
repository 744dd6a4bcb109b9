/* C17 7.12.3, glibc: not 0 if the sign bit is set (glibc: the bit's weight). Any argument. */
#include "belay.h"

static uint64_t to_bits(double x)
{
    union { double value; uint64_t bits; } pun = {x};
    return pun.bits;
}

int __signbit(double x)
{
    return (int)(to_bits(x) >> (64 - 32) & 0x80000000u);
}
