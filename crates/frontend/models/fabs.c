/* C17 7.12.7.2: the sign bit cleared; any argument. */
#include "belay.h"

static uint64_t to_bits(double x)
{
    union { double value; uint64_t bits; } pun = {x};
    return pun.bits;
}

static double from_bits(uint64_t bits)
{
    union { uint64_t bits; double value; } pun = {bits};
    return pun.value;
}

double fabs(double x)
{
    return from_bits(to_bits(x) & ~(UINT64_C(1) << (64 - 1)));
}
