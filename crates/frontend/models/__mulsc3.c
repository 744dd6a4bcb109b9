/* C17 annex G.5.1: the product of two complex numbers, with infinities recovered. Called by compiled code. */
#include "belay.h"

static _Bool infinite(float x)
{
    return x == x && x - x != 0;
}

/* 1 or 0 for infinite or not, with the sign of x. */
static float box(float x)
{
    return __builtin_copysignf(infinite(x) ? 1 : 0, x);
}

static float no_nan(float x)
{
    return x == x ? x : __builtin_copysignf(0, x);
}

float _Complex __mulsc3(float a, float b, float c, float d)
{
    float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    float re = ac - bd, im = ad + bc;
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
            re = __builtin_inff() * (a * c - b * d);
            im = __builtin_inff() * (a * d + b * c);
        }
    }
    float _Complex result;
    __real__ result = re;
    __imag__ result = im;
    return result;
}
