/* Arithmetic of the x87's 80-bit format (`long double` on x86) in integers, rounded to nearest, ties to even, as the processor does it with its
 * default control word. A value is its 80 bits in an unsigned __int128: 64 bits of significand with an explicit leading one, 15 of exponent
 * (bias 16383), the sign. Why it is exact: sums, products and quotients are computed to at least two more bits than the result has, and everything
 * that is shifted out is kept as one sticky bit at the end, which decides a rounding exactly as the lost bits would (Goldberg 1991, the standard
 * argument for guard, round and sticky bits). Checked against the processor bit by bit (tests of the models). */
#include "belay.h"

#if __SIZEOF_POINTER__ == 8
typedef unsigned __int128 belay_bits;

enum { BELAY_X87_BIAS = 16383, BELAY_X87_MOST = 0x7fff };
enum belay_x87_kind { BELAY_ZERO, BELAY_FINITE, BELAY_INFINITE, BELAY_NAN };

/* significand * 2^exponent, the highest bit of the significand set if it is finite. */
struct belay_x87 {
    enum belay_x87_kind kind;
    _Bool negative;
    int exponent;
    unsigned long significand;
};

static inline belay_bits belay_x87_make(_Bool negative, unsigned exponent, unsigned long significand)
{
    return (belay_bits)((negative ? 0x8000u : 0u) | exponent) << 64 | significand;
}

static inline belay_bits belay_x87_default_nan(void)
{
    return belay_x87_make(1, BELAY_X87_MOST, 3ul << 62);
}

/* Shifts `value`, which is not 0, up by so many bits if the highest ones are free: without a loop, so that none has to be cut. */
#define BELAY_UP(value, exponent, width, by)                                                                                          \
    if (!((value) >> ((width) - (by)))) {                                                                                             \
        (value) <<= (by);                                                                                                             \
        (exponent) -= (by);                                                                                                           \
    }

static inline struct belay_x87 belay_x87_take(belay_bits bits)
{
    struct belay_x87 x = {BELAY_FINITE, (bits >> 79 & 1) != 0, (int)(bits >> 64 & BELAY_X87_MOST), (unsigned long)bits};
    _Bool leads = x.significand >> 63;
    if (x.exponent != 0 && !leads) { /* no encoding of the processor's: it takes it for an invalid operand */
        x.kind = BELAY_NAN;
        return x;
    }
    if (x.exponent == BELAY_X87_MOST) {
        x.kind = x.significand << 1 == 0 ? BELAY_INFINITE : BELAY_NAN;
        return x;
    }
    if (x.significand == 0) {
        x.kind = BELAY_ZERO;
        return x;
    }
    if (x.exponent == 0)
        x.exponent = 1;
    x.exponent -= BELAY_X87_BIAS + 63;
    BELAY_UP(x.significand, x.exponent, 64, 32)
    BELAY_UP(x.significand, x.exponent, 64, 16)
    BELAY_UP(x.significand, x.exponent, 64, 8)
    BELAY_UP(x.significand, x.exponent, 64, 4)
    BELAY_UP(x.significand, x.exponent, 64, 2)
    BELAY_UP(x.significand, x.exponent, 64, 1)
    return x;
}

/* value * 2^exponent, rounded to `precision` bits of which the last is worth 2^least or more; the result as a number of units of 2^*unit. The lowest
 * bit of `value` may be sticky. */
static inline unsigned long belay_round(belay_bits value, int exponent, int precision, int least, int *unit)
{
    BELAY_UP(value, exponent, 128, 64)
    BELAY_UP(value, exponent, 128, 32)
    BELAY_UP(value, exponent, 128, 16)
    BELAY_UP(value, exponent, 128, 8)
    BELAY_UP(value, exponent, 128, 4)
    BELAY_UP(value, exponent, 128, 2)
    BELAY_UP(value, exponent, 128, 1)
    int drop = 128 - precision;
    if (exponent + drop < least)
        drop = least - exponent;
    *unit = exponent + drop;
    if (drop > 128)
        return 0;
    if (drop == 128) /* less than a unit: half of it or more, ties to even */
        return value > (belay_bits)1 << 127;
    unsigned long kept = (unsigned long)(value >> drop);
    belay_bits rest = value << (128 - drop), half = (belay_bits)1 << 127;
    if (rest > half || (rest == half && (kept & 1))) {
        if (kept == ~0ul) { /* 2^64 units */
            ++*unit;
            return 1ul << 63;
        }
        kept++;
    }
    return kept;
}

static inline belay_bits belay_x87_give(_Bool negative, belay_bits value, int exponent)
{
    int unit;
    unsigned long kept = belay_round(value, exponent, 64, 1 - BELAY_X87_BIAS - 63, &unit);
    if (!(kept >> 63)) /* subnormal, or zero */
        return belay_x87_make(negative, 0, kept);
    int biased = unit + BELAY_X87_BIAS + 63;
    if (biased >= BELAY_X87_MOST)
        return belay_x87_make(negative, BELAY_X87_MOST, 1ul << 63);
    return belay_x87_make(negative, (unsigned)biased, kept);
}

/* The NaN that an operation on these gives: a quiet copy of the one with the larger significand. */
static inline belay_bits belay_x87_nan_of(belay_bits a, belay_bits b)
{
    struct belay_x87 x = belay_x87_take(a), y = belay_x87_take(b);
    belay_bits quiet = (belay_bits)1 << 62;
    if ((x.kind == BELAY_NAN && !(x.significand >> 63)) || (y.kind == BELAY_NAN && !(y.significand >> 63)))
        return belay_x87_default_nan();
    if (y.kind != BELAY_NAN)
        return a | quiet;
    if (x.kind != BELAY_NAN)
        return b | quiet;
    if (x.significand != y.significand)
        return (x.significand > y.significand ? a : b) | quiet;
    return (x.negative ? b : a) | quiet;
}

static inline belay_bits belay_x87_sum(belay_bits a, belay_bits b)
{
    struct belay_x87 x = belay_x87_take(a), y = belay_x87_take(b);
    if (x.kind == BELAY_NAN || y.kind == BELAY_NAN)
        return belay_x87_nan_of(a, b);
    if (x.kind == BELAY_INFINITE || y.kind == BELAY_INFINITE) {
        if (x.kind == y.kind && x.negative != y.negative)
            return belay_x87_default_nan();
        return x.kind == BELAY_INFINITE ? a : b;
    }
    if (x.kind == BELAY_ZERO && y.kind == BELAY_ZERO)
        return belay_x87_make(x.negative && y.negative, 0, 0);
    if (x.kind == BELAY_ZERO || y.kind == BELAY_ZERO) {
        struct belay_x87 only = x.kind == BELAY_ZERO ? y : x;
        return belay_x87_give(only.negative, only.significand, only.exponent);
    }
    if (x.exponent < y.exponent || (x.exponent == y.exponent && x.significand < y.significand)) {
        struct belay_x87 other = x;
        x = y;
        y = other;
    }
    int apart = x.exponent - y.exponent;
    belay_bits large = (belay_bits)x.significand << 63, small = (belay_bits)y.significand << 63;
    if (apart >= 127)
        small = 1;
    else if (apart > 0)
        small = small >> apart | (small << (128 - apart) != 0);
    belay_bits sum = x.negative == y.negative ? large + small : large - small;
    if (sum == 0)
        return 0;
    return belay_x87_give(x.negative, sum, x.exponent - 63);
}

static inline belay_bits belay_x87_product(belay_bits a, belay_bits b)
{
    struct belay_x87 x = belay_x87_take(a), y = belay_x87_take(b);
    _Bool negative = x.negative != y.negative;
    if (x.kind == BELAY_NAN || y.kind == BELAY_NAN)
        return belay_x87_nan_of(a, b);
    if (x.kind == BELAY_INFINITE || y.kind == BELAY_INFINITE) {
        if (x.kind == BELAY_ZERO || y.kind == BELAY_ZERO)
            return belay_x87_default_nan();
        return belay_x87_make(negative, BELAY_X87_MOST, 1ul << 63);
    }
    if (x.kind == BELAY_ZERO || y.kind == BELAY_ZERO)
        return belay_x87_make(negative, 0, 0);
    return belay_x87_give(negative, (belay_bits)x.significand * y.significand, x.exponent + y.exponent);
}

static inline belay_bits belay_x87_quotient(belay_bits a, belay_bits b)
{
    struct belay_x87 x = belay_x87_take(a), y = belay_x87_take(b);
    _Bool negative = x.negative != y.negative;
    if (x.kind == BELAY_NAN || y.kind == BELAY_NAN)
        return belay_x87_nan_of(a, b);
    if (x.kind == y.kind && x.kind != BELAY_FINITE)
        return belay_x87_default_nan();
    if (x.kind == BELAY_INFINITE || y.kind == BELAY_ZERO)
        return belay_x87_make(negative, BELAY_X87_MOST, 1ul << 63);
    if (x.kind == BELAY_ZERO || y.kind == BELAY_INFINITE)
        return belay_x87_make(negative, 0, 0);
    belay_bits dividend = (belay_bits)x.significand << 63, first = dividend / y.significand, rest = dividend % y.significand;
    belay_bits more = (rest << 60) / y.significand;
    _Bool sticky = (rest << 60) % y.significand != 0;
    return belay_x87_give(negative, first << 61 | more << 1 | sticky, x.exponent - y.exponent - 63 - 61);
}

/* -1, 0 or 1; 2 if they have no order. */
static inline int belay_x87_order(belay_bits a, belay_bits b)
{
    struct belay_x87 x = belay_x87_take(a), y = belay_x87_take(b);
    if (x.kind == BELAY_NAN || y.kind == BELAY_NAN)
        return 2;
    if (x.kind == BELAY_ZERO && y.kind == BELAY_ZERO)
        return 0;
    if (x.kind == BELAY_ZERO)
        return y.negative ? 1 : -1;
    if (y.kind == BELAY_ZERO)
        return x.negative ? -1 : 1;
    if (x.negative != y.negative)
        return x.negative ? -1 : 1;
    _Bool less = x.kind != y.kind           ? y.kind == BELAY_INFINITE
                 : x.exponent != y.exponent ? x.exponent < y.exponent
                                            : x.significand < y.significand;
    _Bool same = x.kind == y.kind && (x.kind == BELAY_INFINITE || (x.exponent == y.exponent && x.significand == y.significand));
    return same ? 0 : less != x.negative ? -1 : 1;
}

/* The bits of a float of `precision` bits of significand (the leading one not stored) and `bits` in all. */
static inline unsigned long belay_x87_narrow(belay_bits a, int precision, int bits)
{
    struct belay_x87 x = belay_x87_take(a);
    int fraction = precision - 1, most = (1 << (bits - precision)) - 1, bias = most >> 1, unit;
    unsigned long sign = (unsigned long)x.negative << (bits - 1), infinite = (unsigned long)most << fraction;
    if (x.kind == BELAY_ZERO)
        return sign;
    if (x.kind == BELAY_INFINITE)
        return sign | infinite;
    if (x.kind == BELAY_NAN && !(x.significand >> 63))
        return 1ul << (bits - 1) | infinite | 1ul << (fraction - 1);
    if (x.kind == BELAY_NAN) /* quiet, with the highest bits of its payload */
        return sign | infinite | 1ul << (fraction - 1) | (x.significand << 1) >> (64 - fraction);
    unsigned long kept = belay_round(x.significand, x.exponent, precision, 1 - bias - fraction, &unit);
    if (!(kept >> fraction)) /* subnormal, or zero */
        return sign | kept;
    if (kept >> precision) { /* rounded up to the next power of two */
        kept >>= 1;
        unit++;
    }
    int biased = unit + bias + fraction;
    if (biased >= most)
        return sign | infinite;
    return sign | (unsigned long)biased << fraction | (kept & ((1ul << fraction) - 1));
}

/* The other way, from a double: exact. */
static inline belay_bits belay_x87_widen(unsigned long bits)
{
    _Bool negative = bits >> 63;
    unsigned exponent = bits >> 52 & 0x7ff;
    unsigned long fraction = bits & ((1ul << 52) - 1);
    if (exponent == 0x7ff)
        return belay_x87_make(negative, BELAY_X87_MOST, 1ul << 63 | (fraction == 0 ? 0 : 1ul << 62) | fraction << 11);
    if (exponent == 0 && fraction == 0)
        return belay_x87_make(negative, 0, 0);
    return belay_x87_give(negative, exponent == 0 ? fraction : fraction | 1ul << 52, (exponent == 0 ? 1 : (int)exponent) - 1023 - 52);
}

/* The number without its fraction, if its magnitude is at most `most`. */
static inline unsigned long belay_x87_whole(belay_bits a, unsigned long most_positive, unsigned long most_negative)
{
    struct belay_x87 x = belay_x87_take(a);
    if (x.kind == BELAY_ZERO)
        return 0;
    unsigned long whole = x.exponent > 0 || x.exponent <= -64 ? 0 : x.significand >> -x.exponent;
    if (x.kind != BELAY_FINITE || x.exponent > 0 || whole > (x.negative ? most_negative : most_positive))
        __belay_unsupported("a long double that does not fit the integer type it is converted to");
    return x.negative ? 0 - whole : whole;
}

#define BELAY_X87(result, name, params, value)                                                                                        \
    result name params                                                                                                                \
    {                                                                                                                                 \
        return value;                                                                                                                 \
    }
#else
/* The front end calls none of these on 32 bits, which have no integer of this width. */
typedef unsigned long long belay_bits;
#define BELAY_X87(result, name, params, value)                                                                                        \
    result name params                                                                                                                \
    {                                                                                                                                 \
        __belay_unsupported("long double arithmetic on 32 bits");                                                                     \
    }
#pragma clang diagnostic ignored "-Wunused-parameter"
#endif
