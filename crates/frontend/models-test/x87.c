/* Arithmetic of long double in integers against the processor, bit for bit. On 32 bits the front end calls none of it. */
#include "harness.h"

#if __SIZEOF_POINTER__ == 8
typedef unsigned __int128 bits_t;
#define UNSUPPORTED_HERE 0
#else
typedef unsigned long long bits_t;
#define UNSUPPORTED_HERE 1
#endif
bits_t m___belay_x87_add(bits_t, bits_t), m___belay_x87_sub(bits_t, bits_t), m___belay_x87_mul(bits_t, bits_t), m___belay_x87_div(bits_t, bits_t);
int m___belay_x87_order(bits_t, bits_t);
unsigned long m___belay_x87_to_double(bits_t), m___belay_x87_to_integer(bits_t, unsigned long, unsigned long);
unsigned int m___belay_x87_to_float(bits_t);
bits_t m___belay_x87_from_double(unsigned long), m___belay_x87_from_signed(long), m___belay_x87_from_unsigned(unsigned long);

static bits_t bits_of(long double x)
{
    bits_t bits = 0;
    memcpy(&bits, &x, sizeof bits < 10 ? sizeof bits : 10);
    return bits;
}

static long double any_long_double(void)
{
    static const unsigned starts[] = {0, 0x7ff0, 16383 - 70, 16383 - 1090, 16383 + 1020, 16383 - 155, 16383 + 120}, widths[] = {40, 16, 140, 80, 8, 20, 12};
    size_t kind = below(7);
    uint64_t significand = random_bits();
    unsigned exponent = starts[kind] + (unsigned)below(widths[kind]);
    switch (below(6)) {
    case 0: significand = 1ull << 63; break;
    case 1: significand = ~0ull << below(60); break;
    case 2: significand = 1ull << 63 | 1ull << below(63); break;
    case 3: significand = ~0ull << 11 | (uint64_t)below(2) << 10 | below(2); break;
    }
    if (below(20) != 0) /* mostly what is a number */
        significand = exponent == 0 ? significand & ~(1ull << 63) : significand | 1ull << 63;
    if (below(30) == 0)
        exponent = 0, significand = 0;
    unsigned short top = (unsigned short)(exponent | (below(2) ? 0x8000u : 0));
    long double x = 0;
    memcpy(&x, &significand, 8);
    memcpy((char *)&x + 8, &top, 2);
    return x;
}

#define OPERATION(name, operator)                                                                                                     \
    TEST_N(x87_##name, "__belay_x87_" #name, 20000)                                                                                   \
    {                                                                                                                                 \
        volatile long double x = any_long_double(), y = any_long_double(), z = x operator y;                                          \
        bits_t r = 0;                                                                                                                 \
        if (UNSUPPORTED_HERE)                                                                                                         \
            return ENDING(m___belay_x87_##name(0, 0)) == UNSUPPORTED;                                                                 \
        return FINISHES(r = m___belay_x87_##name(bits_of(x), bits_of(y))) && r == bits_of(z);                                         \
    }
OPERATION(add, +) OPERATION(sub, -) OPERATION(mul, *)

TEST_N(x87_div, "__belay_x87_div", 20000)
{
    volatile long double x = any_long_double(), y = any_long_double(), z;
    bits_t r = 0;
    if (UNSUPPORTED_HERE)
        return ENDING(m___belay_x87_div(0, 0)) == UNSUPPORTED;
    __asm__("fldt %1; fldt %2; fdivp; fstpt %0" : "=m"(z) : "m"(y), "m"(x));
    return FINISHES(r = m___belay_x87_div(bits_of(x), bits_of(y))) && r == bits_of(z);
}

TEST_N(x87_order, "__belay_x87_order", 20000)
{
    volatile long double x = any_long_double(), y = below(4) ? any_long_double() : x;
    int order = x < y ? -1 : x > y ? 1 : x == y ? 0 : 2, r = 0;
    if (UNSUPPORTED_HERE)
        return ENDING(m___belay_x87_order(0, 0)) == UNSUPPORTED;
    return FINISHES(r = m___belay_x87_order(bits_of(x), bits_of(y))) && r == order;
}

TEST_N(x87_to, "__belay_x87_to", 20000)
{
    volatile long double x = any_long_double();
    if (UNSUPPORTED_HERE)
        return ENDING(m___belay_x87_to_double(0)) == UNSUPPORTED && ENDING(m___belay_x87_to_float(0)) == UNSUPPORTED &&
               ENDING(m___belay_x87_to_integer(0, 0, 0)) == UNSUPPORTED;
    double d;
    float f;
    __asm__("fldt %1; fstpl %0" : "=m"(d) : "m"(x));
    __asm__("fldt %1; fstps %0" : "=m"(f) : "m"(x));
    unsigned long wide = 0, of_double = 0;
    unsigned int narrow = 0, of_float = 0;
    memcpy(&of_double, &d, sizeof d);
    memcpy(&of_float, &f, sizeof f);
    if (!FINISHES(wide = m___belay_x87_to_double(bits_of(x))) || !FINISHES(narrow = m___belay_x87_to_float(bits_of(x))))
        return 0;
    if (wide != of_double || narrow != of_float)
        return 0;
    int ending = ENDING(wide = m___belay_x87_to_integer(bits_of(x), ~0ul >> 1, ~(~0ul >> 1)));
    _Bool fits = x > -9223372036854775809.0L && x < 9223372036854775808.0L;
    return fits ? ending == FINISHED && (long)wide == (long)x : ending == UNSUPPORTED;
}

TEST_N(x87_from, "__belay_x87_from", 20000)
{
    unsigned long n = (unsigned long)any_number();
    if (UNSUPPORTED_HERE)
        return ENDING(m___belay_x87_from_double(0)) == UNSUPPORTED && ENDING(m___belay_x87_from_signed(0)) == UNSUPPORTED &&
               ENDING(m___belay_x87_from_unsigned(0)) == UNSUPPORTED;
    double d;
    unsigned long bits = (unsigned long)random_bits();
    if (below(3) == 0)
        bits &= ~(0x7fful << 52);
    memcpy(&d, &bits, sizeof d < sizeof bits ? sizeof d : sizeof bits);
    volatile long double x;
    __asm__("fldl %1; fstpt %0" : "=m"(x) : "m"(d));
    return m___belay_x87_from_double(bits) == bits_of(x) && m___belay_x87_from_signed((long)n) == bits_of((long double)(long)n) &&
           m___belay_x87_from_unsigned(n) == bits_of((long double)n);
}
