/* C17 7.12.9.1: any argument; exact. */
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

/* x without its fraction, with its sign also where that is zero. */
static double truncated(double x)
{
    if (!(x > -0x1p52 && x < 0x1p52))
        return x; /* a whole number, infinite or nan */
    double whole = (double)(long long)x;
    return from_bits((to_bits(whole) & ~(UINT64_C(1) << (64 - 1))) | (to_bits(x) & (UINT64_C(1) << (64 - 1))));
}

double ceil(double x)
{
    double whole = truncated(x);
    return whole < x ? whole + 1 : whole;
}
