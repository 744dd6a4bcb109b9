//~ all: true
// The library's rounding functions, which are operations of the verifier: halves, zeros with their sign, large and small numbers.
#include <assert.h>
#include <math.h>

static int same(double x, double y) { return x == y && !!signbit(x) == !!signbit(y); }

int main(void)
{
    assert(same(floor(2.5), 2) && same(floor(-2.5), -3) && same(floor(-0.0), -0.0) && same(floor(-0.25), -1));
    assert(same(ceil(2.5), 3) && same(ceil(-2.5), -2) && same(ceil(-0.25), -0.0) && same(ceil(0x1p-1074), 1));
    assert(same(trunc(2.75), 2) && same(trunc(-2.75), -2) && same(trunc(-0.75), -0.0));
    assert(same(round(2.5), 3) && same(round(-2.5), -3) && same(round(0.49999999999999994), 0));
    assert(same(rint(2.5), 2) && same(rint(3.5), 4) && same(rint(-0.5), -0.0) && same(nearbyint(-1.5), -2));
    assert(same(floor(0x1p53 + 2), 0x1p53 + 2) && same(rint(0x1p52 + 1), 0x1p52 + 1) && isinf(ceil(INFINITY)) && isnan(round(NAN)));
    assert(floorf(-1.5f) == -2.0f && ceilf(1.25f) == 2.0f && truncf(-1.75f) == -1.0f && roundf(0.5f) == 1.0f && rintf(0.5f) == 0.0f);
    assert(same(fabs(-0.0), 0.0) && same(copysign(3, -0.0), -3) && fabsf(-2.5f) == 2.5f && copysignf(1.0f, -2.0f) == -1.0f);
    assert(fma(0x1p27 + 1, 0x1p27 - 1, -0x1p54) == -1.0);
    return 0;
}
