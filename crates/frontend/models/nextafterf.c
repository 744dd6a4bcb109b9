/* C17 7.12.11.3: the next number from x towards y; ERANGE where that is infinite, subnormal or zero. */
#include "belay.h"

static uint32_t to_bits(float x)
{
    union { float value; uint32_t bits; } pun = {x};
    return pun.bits;
}

static float from_bits(uint32_t bits)
{
    union { uint32_t bits; float value; } pun = {bits};
    return pun.value;
}

float nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    uint32_t sign = (uint32_t)1 << 31, result;
    if (x == 0)
        result = (to_bits(y) & sign) | 1;
    else if ((x < y) == (x > 0))
        result = to_bits(x) + 1;
    else
        result = to_bits(x) - 1;
    uint32_t exponent = result >> 23 & 255;
    if (exponent == 0 || exponent == 255)
        errno = ERANGE;
    return from_bits(result);
}
