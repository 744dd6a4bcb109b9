/* C17 7.12.11.1: any arguments. */
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

double copysign(double x, double y)
{
    return from_bits((to_bits(x) & ~(UINT64_C(1) << (64 - 1))) | (to_bits(y) & (UINT64_C(1) << (64 - 1))));
}
