/* C17 7.12.10.1: exact, by long division on the significands; nan with EDOM for an infinite x or a zero y. */
#include "belay.h"

static uint64_t to_bits(double x)
{
    union { double value; uint64_t bits; } pun = {x};
    return pun.bits;
}

static double from_bits(uint64_t bits)
{
    union { uint64_t bits; double value; } pun = {bits};
    return pun.value;
}

/* The significand with its leading bit, and the exponent of its last bit. */
static uint64_t significand(uint64_t magnitude, int *exponent)
{
    int e = (int)(magnitude >> 52);
    uint64_t fraction = magnitude & ((UINT64_C(1) << 52) - 1);
    if (e == 0) {
        *exponent = 1;
        return fraction;
    }
    *exponent = e;
    return fraction | UINT64_C(1) << 52;
}

double fmod(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x - x != 0 || y == 0) {
        errno = 33;
        return from_bits((uint64_t)0x7ff << 52 | UINT64_C(1) << (52 - 1));
    }
    uint64_t sign = to_bits(x) & (UINT64_C(1) << (64 - 1)), a = to_bits(x) & ~(UINT64_C(1) << (64 - 1)), b = to_bits(y) & ~(UINT64_C(1) << (64 - 1));
    if (a < b)
        return x;
    int ea, eb;
    uint64_t n = significand(a, &ea), d = significand(b, &eb);
    if (n >= d)
        n %= d;
    for (; ea > eb; ea--) {
        n *= 2;
        if (n >= d)
            n -= d;
    }
    /* n * 2^eb is the remainder: bring its leading bit to the top, or down to a subnormal. */
    while (n != 0 && ea > 1 && (n >> 52) == 0) {
        n *= 2;
        ea--;
    }
    uint64_t magnitude = (n >> 52) == 0 ? n : (n & ((UINT64_C(1) << 52) - 1)) | (uint64_t)ea << 52;
    return from_bits(sign | magnitude);
}
