/* C17 7.12.3, glibc: 0 nan, 1 infinite, 2 zero, 3 subnormal, 4 normal. Any argument. */
#include "belay.h"

static uint64_t to_bits(double x)
{
    union { double value; uint64_t bits; } pun = {x};
    return pun.bits;
}

int __fpclassify(double x)
{
    uint64_t magnitude = to_bits(x) & ~(UINT64_C(1) << (64 - 1));
    if (magnitude >= (uint64_t)0x7ff << 52)
        return magnitude == (uint64_t)0x7ff << 52;
    if (magnitude >> 52 != 0)
        return 4;
    return magnitude == 0 ? 2 : 3;
}
