/* C17 7.12.10.1: exact, by long division on the significands; nan with EDOM for an infinite x or a zero y. */
#include "belay.h"

static uint32_t to_bits(float x)
{
    union { float value; uint32_t bits; } pun = {x};
    return pun.bits;
}

static float from_bits(uint32_t bits)
{
    union { uint32_t bits; float value; } pun = {bits};
    return pun.value;
}

/* The significand with its leading bit, and the exponent of its last bit. */
static uint32_t significand(uint32_t magnitude, int *exponent)
{
    int e = (int)(magnitude >> 23);
    uint32_t fraction = magnitude & ((UINT32_C(1) << 23) - 1);
    if (e == 0) {
        *exponent = 1;
        return fraction;
    }
    *exponent = e;
    return fraction | UINT32_C(1) << 23;
}

float fmodf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x - x != 0 || y == 0) {
        errno = 33;
        return from_bits((uint32_t)0xff << 23 | UINT32_C(1) << (23 - 1));
    }
    uint32_t sign = to_bits(x) & (UINT32_C(1) << (32 - 1)), a = to_bits(x) & ~(UINT32_C(1) << (32 - 1)), b = to_bits(y) & ~(UINT32_C(1) << (32 - 1));
    if (a < b)
        return x;
    int ea, eb;
    uint32_t n = significand(a, &ea), d = significand(b, &eb);
    if (n >= d)
        n %= d;
    for (; ea > eb; ea--) {
        n *= 2;
        if (n >= d)
            n -= d;
    }
    /* n * 2^eb is the remainder: bring its leading bit to the top, or down to a subnormal. */
    while (n != 0 && ea > 1 && (n >> 23) == 0) {
        n *= 2;
        ea--;
    }
    uint32_t magnitude = (n >> 23) == 0 ? n : (n & ((UINT32_C(1) << 23) - 1)) | (uint32_t)ea << 23;
    return from_bits(sign | magnitude);
}
