/* C17 7.12.3, glibc: 1 for plus infinity, -1 for minus infinity, else 0; long double is the 80-bit format. Any argument. */
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

int __isinfl(long double x)
{
    struct extended p = parts(x);
    if ((p.sign_exponent & 0x7fff) != 0x7fff || p.significand << 1 != 0)
        return 0;
    return p.sign_exponent >> 15 ? -1 : 1;
}
