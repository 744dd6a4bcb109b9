/* C17 7.12.11.3: the next number from x towards y; ERANGE where that is infinite, subnormal or zero. */
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

double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    uint64_t sign = (uint64_t)1 << 63, result;
    if (x == 0)
        result = (to_bits(y) & sign) | 1;
    else if ((x < y) == (x > 0))
        result = to_bits(x) + 1;
    else
        result = to_bits(x) - 1;
    uint64_t exponent = result >> 52 & 2047;
    if (exponent == 0 || exponent == 2047)
        errno = ERANGE;
    return from_bits(result);
}
