/* C17 7.12.3, glibc: 1 if x is neither infinite nor a nan; long double is the 80-bit format. Any argument. */
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

int finitel(long double x)
{
    struct extended p = parts(x);
    return (p.sign_exponent & 0x7fff) != 0x7fff;
}
