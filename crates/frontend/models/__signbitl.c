/* C17 7.12.3, glibc: not 0 if the sign bit is set (glibc: the bit's weight); long double is the 80-bit format. Any argument. */
#include "belay.h"

struct extended {
    uint64_t significand;
    uint16_t sign_exponent;
};

static struct extended parts(long double x)
{
    union { long double value; struct extended parts; } pun = {x};
    return pun.parts;
}

int __signbitl(long double x)
{
    struct extended p = parts(x);
    return p.sign_exponent & 0x8000;
}
