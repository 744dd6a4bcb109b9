/* C17 7.12.6.5: the exponent of x as an int; INT_MIN with EDOM for zero and nan, INT_MAX with EDOM for infinite x. */
#include "belay.h"

static uint64_t to_bits(double x)
{
    union { double value; uint64_t bits; } pun = {x};
    return pun.bits;
}

int ilogb(double x)
{
    if (x == 0 || x - x != 0) {
        errno = EDOM;
        return x == 0 || x != x ? INT_MIN : INT_MAX;
    }
    int scaled = 0;
    if ((to_bits(x) >> 52 & 2047) == 0) {
        x *= 0x1p52;
        scaled = 52;
    }
    return (int)(to_bits(x) >> 52 & 2047) - 1023 - scaled;
}
