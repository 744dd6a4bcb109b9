/* C17 7.12.3, glibc: 0 nan, 1 infinite, 2 zero, 3 subnormal, 4 normal; long double is the 80-bit format. Any argument. */
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

int __fpclassifyl(long double x)
{
    struct extended p = parts(x);
    int exponent = p.sign_exponent & 0x7fff;
    if (exponent == 0x7fff)
        return p.significand << 1 == 0;
    if (exponent == 0)
        return p.significand == 0 ? 2 : 3;
    return 4;
}
