/* The product of two complex numbers: C17 annex G.5.1. */
#include "real.h"

static _Bool infinite(real x)
{
    return x == x && x - x != 0;
}

/* 1 or 0 for infinite or not, with the sign of x. */
static real box(real x)
{
    return BUILTIN(copysign)(infinite(x) ? 1 : 0, x);
}

static real no_nan(real x)
{
    return x == x ? x : BUILTIN(copysign)(0, x);
}

static inline real_pair belay_product(real a, real b, real c, real d)
{
    real ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    real re = ac - bd, im = ad + bc;
    if (re != re && im != im) {
        _Bool again = 0;
        if (infinite(a) || infinite(b)) {
            a = box(a), b = box(b), c = no_nan(c), d = no_nan(d);
            again = 1;
        }
        if (infinite(c) || infinite(d)) {
            c = box(c), d = box(d), a = no_nan(a), b = no_nan(b);
            again = 1;
        }
        if (!again && (infinite(ac) || infinite(bd) || infinite(ad) || infinite(bc))) {
            a = no_nan(a), b = no_nan(b), c = no_nan(c), d = no_nan(d);
            again = 1;
        }
        if (again) {
            re = BUILTIN(inf)() * (a * c - b * d);
            im = BUILTIN(inf)() * (a * d + b * c);
        }
    }
    real_pair result;
    __real__ result = re;
    __imag__ result = im;
    return result;
}
