/* C17 7.12.6.4: x as a fraction in [0.5, 1) and a power of two in *exponent (0 for zero, infinite and nan). exponent points
 * to an int. */
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

double frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || x - x != 0)
        return x;
    if ((to_bits(x) >> 52 & 0x7ff) == 0) {
        x *= 0x1p52;
        *exponent = -52;
    }
    uint64_t bits = to_bits(x);
    *exponent += (int)(bits >> 52 & 0x7ff) - (1023 - 1);
    return from_bits((bits & ~((uint64_t)0x7ff << 52)) | (uint64_t)(1023 - 1) << 52);
}
