/* C17 7.12.3, glibc: 1 for plus infinity, -1 for minus infinity, else 0. Any argument. */
#include "belay.h"

static uint64_t to_bits(double x)
{
    union { double value; uint64_t bits; } pun = {x};
    return pun.bits;
}

int isinf(double x)
{
    uint64_t magnitude = to_bits(x) & ~(UINT64_C(1) << (64 - 1));
    if (magnitude != (uint64_t)0x7ff << 52)
        return 0;
    return to_bits(x) == magnitude ? 1 : -1;
}
