//~ all: true
#include <assert.h>
#include <float.h>
#include <math.h>

static float halve(float x) { return x / 2; }

int main(void) {
    double third = 1.0 / 3;
    assert(third * 3 == 1.0 && 0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f);
    float f = 16777216.0f;
    assert(f + 1 == f && (double)f + 1 != f);
    assert(halve(FLT_TRUE_MIN) == 0 && DBL_MAX * 2 > DBL_MAX && -DBL_MAX * 2 == -INFINITY);
    double nan = NAN;
    assert(nan != nan && !(nan < 1) && !(nan >= 1) && !(nan == nan) && isnan(nan));
    assert(1 / -0.0 < 0 && -0.0 == 0.0 && signbit(-0.0));
    assert((int)-2.9 == -2 && (unsigned)3.99f == 3 && (long long)9e15 == 9000000000000000LL);
    assert((float)16777217 == 16777216.0f && (double)0xffffffffffffffffull == 18446744073709551616.0);
    assert((float)1e-50 == 0 && (float)1e300 == INFINITY);
    double acc = 0;
    for (int i = 0; i < 10; i++)
        acc += 0.1;
    assert(acc != 1.0 && fabs(acc - 1.0) < 1e-15);
    assert(-third < 0 && !third == 0 && (third ? 1 : 0));
    assert(fmod(7.5, 2) == 1.5 && floor(-1.5) == -2 && sqrt(2.25) == 1.5);
    double a = 1e16, b = 1;
    assert(a + b - a == 0 && a * b + b == 1e16);
    return 0;
}
