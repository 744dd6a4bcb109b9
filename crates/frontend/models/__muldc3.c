/* C17 annex G.5.1: the product of two complex numbers, with infinities recovered. Called by compiled code. */
#include "belay.h"

static _Bool infinite(double x)
{
    return x == x && x - x != 0;
}

/* 1 or 0 for infinite or not, with the sign of x. */
static double box(double x)
{
    return __builtin_copysign(infinite(x) ? 1 : 0, x);
}

static double no_nan(double x)
{
    return x == x ? x : __builtin_copysign(0, x);
}

double _Complex __muldc3(double a, double b, double c, double d)
{
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    double re = ac - bd, im = ad + bc;
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
            re = __builtin_inf() * (a * c - b * d);
            im = __builtin_inf() * (a * d + b * c);
        }
    }
    double _Complex result;
    __real__ result = re;
    __imag__ result = im;
    return result;
}
