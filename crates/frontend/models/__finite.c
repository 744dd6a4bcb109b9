/* C17 7.12.3, glibc: 1 if x is neither infinite nor a nan. Any argument. */
#include "belay.h"

static uint64_t to_bits(double x)
{
    union { double value; uint64_t bits; } pun = {x};
    return pun.bits;
}

int __finite(double x)
{
    uint64_t magnitude = to_bits(x) & ~(UINT64_C(1) << (64 - 1));
    return magnitude < (uint64_t)0x7ff << 52;
}
