/* math.h: the results are compared bit for bit, any nan being as good as any other. */
#include "harness.h"
#include <complex.h>
#include <fenv.h>
#include <math.h>
#undef isnan
#undef isinf

static double any_double(void)
{
    static const double special[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0x1p52, 0x1p52 + 1, 0x1p51 + 0.5, 0x1p53, -0x1p63, 0x1p63, 0x1p31, -0x1p31, 2147483647.5, -2147483648.5, 0.49999999999999994, INFINITY, -INFINITY, NAN, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023};
    union { uint64_t bits; double value; } u = {random_bits()};
    switch (below(4)) {
    case 0: return special[below(sizeof special / sizeof *special)];
    case 1: return u.value != u.value ? NAN : u.value;
    case 2: return (double)((int64_t)any_number()) / 2;
    default: return ldexp((double)(int64_t)random_bits(), (int)below(64) - 64 - (int)below(2) * 30);
    }
}
static float any_float(void)
{
    union { uint32_t bits; float value; } u = {(uint32_t)random_bits()};
    if (below(2))
        return u.value != u.value ? NAN : u.value;
    return (float)any_double();
}
static uint64_t double_bits(double x) { union { double x; uint64_t b; } u = {x}; return x != x ? 1 : u.b; }
static uint64_t float_bits(float x) { union { float x; uint32_t b; } u = {x}; return x != x ? 1 : u.b; }
#define UNARY(name)                                                               \
    MODEL(name);                                                                  \
    MODEL(name##f);                                                               \
    TEST(name) { double x = any_double(); return double_bits(name(x)) == double_bits(m_##name(x)); } \
    TEST(name##f) { float x = any_float(); return float_bits(name##f(x)) == float_bits(m_##name##f(x)); }
#define BINARY(name)                                                              \
    MODEL(name);                                                                  \
    MODEL(name##f);                                                               \
    TEST(name) { double x = any_double(), y = below(8) ? any_double() : x; return double_bits(name(x, y)) == double_bits(m_##name(x, y)); } \
    TEST(name##f) { float x = any_float(), y = below(8) ? any_float() : x; return float_bits(name##f(x, y)) == float_bits(m_##name##f(x, y)); }
UNARY(fabs) UNARY(floor) UNARY(ceil) UNARY(trunc) UNARY(round) UNARY(rint) UNARY(nearbyint) UNARY(roundeven)
BINARY(copysign) BINARY(fmod) BINARY(fdim) BINARY(remainder) BINARY(nextafter) UNARY(logb)
AGREE(ilogb, double x = any_double(), f(x))
AGREE(ilogbf, float x = any_float(), f(x))
MODEL(fma); MODEL(fmaf); MODEL(nan); MODEL(nanf); MODEL(remquo); MODEL(remquof);
TEST(fma)
{
    double x = any_double(), y = any_double(), z = below(2) ? any_double() : -(x * y);
    return double_bits(fma(x, y, z)) == double_bits(m_fma(x, y, z));
}
TEST(fmaf)
{
    float x = any_float(), y = any_float(), z = below(2) ? any_float() : -(x * y);
    return float_bits(fmaf(x, y, z)) == float_bits(m_fmaf(x, y, z));
}
TEST(remquo)
{
    double x = any_double(), y = below(4) ? any_double() : x / (double)(1 + below(9));
    int a = 0, b = 0;
    uint64_t r = double_bits(remquo(x, y, &a)), s = double_bits(m_remquo(x, y, &b));
    return r == s && (a & 7) == (b & 7) && (a == 0 || b == 0 || (a < 0) == (b < 0));
}
TEST(remquof)
{
    float x = any_float(), y = below(4) ? any_float() : x / (float)(1 + below(9));
    int a = 0, b = 0;
    uint64_t r = float_bits(remquof(x, y, &a)), s = float_bits(m_remquof(x, y, &b));
    return r == s && (a & 7) == (b & 7) && (a == 0 || b == 0 || (a < 0) == (b < 0));
}
TEST_N(nan, "nan nanf", 10)
{
    double x = m_nan("");
    float y = m_nanf("");
    return x != x && y != y && ENDING(m_nan("1")) == UNSUPPORTED;
}
/* The sign of a zero is open. */
#define EXTREME(name)                                                             \
    MODEL(name);                                                                  \
    MODEL(name##f);                                                               \
    TEST(name) { double x = any_double(), y = any_double(), r = name(x, y), s = m_##name(x, y); return r == s || (r != r && s != s); } \
    TEST(name##f) { float x = any_float(), y = any_float(), r = name##f(x, y), s = m_##name##f(x, y); return r == s || (r != r && s != s); }
EXTREME(fmin) EXTREME(fmax)
#define INTEGRAL(name, type)                                                      \
    MODEL(name);                                                                  \
    MODEL(name##f);                                                               \
    TEST(name)                                                                    \
    {                                                                             \
        double x = any_double(), bound = ldexp(1, 8 * sizeof(type) - 1);          \
        type n = m_##name(x);                                                     \
        return !(rint(x) >= -bound && rint(x) < bound && round(x) < bound && round(x) >= -bound) || name(x) == n; \
    }                                                                             \
    TEST(name##f)                                                                 \
    {                                                                             \
        float x = any_float();                                                    \
        double bound = ldexp(1, 8 * sizeof(type) - 1);                            \
        type n = m_##name##f(x);                                                  \
        return !(rint(x) >= -bound && rint(x) < bound && round(x) < bound && round(x) >= -bound) || name##f(x) == n; \
    }
INTEGRAL(lrint, long) INTEGRAL(llrint, long long) INTEGRAL(lround, long) INTEGRAL(llround, long long)
#define SCALE(name, type)                                                         \
    MODEL(name);                                                                  \
    MODEL(name##f);                                                               \
    TEST(name)                                                                    \
    {                                                                             \
        double x = any_double();                                                  \
        type n = below(4) ? (type)below(4400) - 2200 : (type)any_number();        \
        return double_bits(name(x, n)) == double_bits(m_##name(x, n));            \
    }                                                                             \
    TEST(name##f)                                                                 \
    {                                                                             \
        float x = any_float();                                                    \
        type n = below(4) ? (type)below(600) - 300 : (type)any_number();          \
        return float_bits(name##f(x, n)) == float_bits(m_##name##f(x, n));        \
    }
SCALE(ldexp, int) SCALE(scalbn, int) SCALE(scalbln, long)
MODEL(frexp); MODEL(frexpf); MODEL(modf); MODEL(modff);
TEST(frexp)
{
    double x = any_double();
    int a = 0, b = 0;
    uint64_t r = double_bits(frexp(x, &a)), s = double_bits(m_frexp(x, &b));
    return r == s && (a == b || x - x != 0);
}
TEST(frexpf)
{
    float x = any_float();
    int a = 0, b = 0;
    uint64_t r = float_bits(frexpf(x, &a)), s = float_bits(m_frexpf(x, &b));
    return r == s && (a == b || x - x != 0);
}
TEST(modf)
{
    double x = any_double(), a, b;
    uint64_t r = double_bits(modf(x, &a)), s = double_bits(m_modf(x, &b));
    return r == s && double_bits(a) == double_bits(b);
}
TEST(modff)
{
    float x = any_float(), a, b;
    uint64_t r = float_bits(modff(x, &a)), s = float_bits(m_modff(x, &b));
    return r == s && float_bits(a) == float_bits(b);
}
int isnan(double), isinf(double), finite(double), isnanf(float), isinff(float), finitef(float), isnanl(long double), isinfl(long double), finitel(long double);
int __isnan(double), __isinf(double), __finite(double), __fpclassify(double), __signbit(double);
int __isnanf(float), __isinff(float), __finitef(float), __fpclassifyf(float), __signbitf(float);
int __isnanl(long double), __isinfl(long double), __finitel(long double), __fpclassifyl(long double), __signbitl(long double);
static long double any_long_double(void)
{
    long double x = any_double();
    return below(4) ? x : x * (below(2) ? 1e-4000L : 1e4000L);
}
#define CLASSIFY(name, any) AGREE(name, __auto_type x = any(), f(x) != 0)
CLASSIFY(isnan, any_double) CLASSIFY(isnanf, any_float) CLASSIFY(isnanl, any_long_double)
CLASSIFY(finite, any_double) CLASSIFY(finitef, any_float) CLASSIFY(finitel, any_long_double)
CLASSIFY(__isnan, any_double) CLASSIFY(__isnanf, any_float) CLASSIFY(__isnanl, any_long_double)
CLASSIFY(__finite, any_double) CLASSIFY(__finitef, any_float) CLASSIFY(__finitel, any_long_double)
CLASSIFY(__signbit, any_double) CLASSIFY(__signbitf, any_float) CLASSIFY(__signbitl, any_long_double)
#define NUMBER(name, any) AGREE(name, __auto_type x = any(), f(x))
NUMBER(isinf, any_double) NUMBER(isinff, any_float) NUMBER(isinfl, any_long_double)
NUMBER(__isinf, any_double) NUMBER(__isinff, any_float) NUMBER(__isinfl, any_long_double)
NUMBER(__fpclassify, any_double) NUMBER(__fpclassifyf, any_float) NUMBER(__fpclassifyl, any_long_double)
double _Complex __muldc3(double, double, double, double), m___muldc3(double, double, double, double);
float _Complex __mulsc3(float, float, float, float), m___mulsc3(float, float, float, float);
#ifdef __x86_64__ /* elsewhere the library's own function computes in 80 bits */
TEST(__muldc3)
{
    double a = any_double(), b = any_double(), c = any_double(), d = any_double();
    double _Complex x = __muldc3(a, b, c, d), y = m___muldc3(a, b, c, d);
    return double_bits(creal(x)) == double_bits(creal(y)) && double_bits(cimag(x)) == double_bits(cimag(y));
}
TEST(__mulsc3)
{
    float a = any_float(), b = any_float(), c = any_float(), d = any_float();
    float _Complex x = __mulsc3(a, b, c, d), y = m___mulsc3(a, b, c, d);
    return float_bits(crealf(x)) == float_bits(crealf(y)) && float_bits(cimagf(x)) == float_bits(cimagf(y));
}
#endif
MODEL(fegetround); MODEL(fesetround);
void m___belay_nearest(int);
TEST_N(fesetround, "fesetround fegetround rint rintf nearbyint lrint llrintf", 2000)
{
    int direction = below(6) * 0x400;
    double x = below(2) ? any_double() : (double)(below(400)) / 8 - 25;
    float y = (float)x;
    _Bool same = (m_fesetround(direction) == 0) == (fesetround(direction) == 0) && m_fegetround() == fegetround() &&
        double_bits(rint(x)) == double_bits(m_rint(x)) && float_bits(rintf(y)) == float_bits(m_rintf(y)) &&
        double_bits(nearbyint(x)) == double_bits(m_nearbyint(x)) &&
        (!(fabs(x) < 1e9) || (lrint(x) == m_lrint(x) && llrintf(y) == m_llrintf(y)));
    same = same && (fegetround() == 0 || ENDING(m___belay_nearest(0)) == UNSUPPORTED) && ENDING(m___belay_nearest(1)) == FINISHED;
    m_fesetround(0);
    fesetround(0);
    return same;
}
/* Where only bounds are known, the library's result is within them. */
#define BOUNDED(name)                                                             \
    MODEL(name);                                                                  \
    MODEL(name##f);                                                               \
    TEST(name)                                                                    \
    {                                                                             \
        double x = any_double(), r;                                               \
        approximate_result = name(x);                                             \
        return FINISHES(r = m_##name(x)) && double_bits(r) == double_bits(approximate_result); \
    }                                                                             \
    TEST(name##f)                                                                 \
    {                                                                             \
        float x = any_float(), r;                                                 \
        approximate_result = name##f(x);                                          \
        return FINISHES(r = m_##name##f(x)) && float_bits(r) == float_bits((float)approximate_result); \
    }
#define BOUNDED_BINARY(name)                                                      \
    MODEL(name);                                                                  \
    MODEL(name##f);                                                               \
    TEST(name)                                                                    \
    {                                                                             \
        double x = any_double(), y = any_double(), r;                             \
        approximate_result = name(x, y);                                          \
        return FINISHES(r = m_##name(x, y)) && double_bits(r) == double_bits(approximate_result); \
    }                                                                             \
    TEST(name##f)                                                                 \
    {                                                                             \
        float x = any_float(), y = any_float(), r;                                \
        approximate_result = name##f(x, y);                                       \
        return FINISHES(r = m_##name##f(x, y)) && float_bits(r) == float_bits((float)approximate_result); \
    }
BOUNDED(sin) BOUNDED(cos) BOUNDED(tan) BOUNDED(asin) BOUNDED(acos) BOUNDED(atan) BOUNDED(sinh) BOUNDED(cosh) BOUNDED(tanh)
BOUNDED(asinh) BOUNDED(acosh) BOUNDED(atanh) BOUNDED(exp) BOUNDED(exp2) BOUNDED(expm1) BOUNDED(log) BOUNDED(log10) BOUNDED(log2)
BOUNDED(log1p) BOUNDED(cbrt) BOUNDED(erf) BOUNDED(erfc) BOUNDED(tgamma) BOUNDED(lgamma)
BOUNDED_BINARY(atan2) BOUNDED_BINARY(pow) BOUNDED_BINARY(hypot)
