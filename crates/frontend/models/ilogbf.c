/* C17 7.12.6.5: the exponent of x as an int; INT_MIN with EDOM for zero and nan, INT_MAX with EDOM for infinite x. */
#include "belay.h"

static uint32_t to_bits(float x)
{
    union { float value; uint32_t bits; } pun = {x};
    return pun.bits;
}

int ilogbf(float x)
{
    if (x == 0 || x - x != 0) {
        errno = EDOM;
        return x == 0 || x != x ? INT_MIN : INT_MAX;
    }
    int scaled = 0;
    if ((to_bits(x) >> 23 & 255) == 0) {
        x *= 0x1p23f;
        scaled = 23;
    }
    return (int)(to_bits(x) >> 23 & 255) - 127 - scaled;
}
