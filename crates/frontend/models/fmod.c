/* C17 7.12.10.1: exact, by long division on the significands; nan with EDOM for an infinite x or a zero y. */
#include "real.h"

/* The significand with its leading bit, and the exponent of its last bit. */
static real_bits significand(real_bits magnitude, int *exponent)
{
    int e = (int)(magnitude >> FRACTION);
    real_bits fraction = magnitude & (((real_bits)1 << FRACTION) - 1);
    if (e == 0) {
        *exponent = 1;
        return fraction;
    }
    *exponent = e;
    return fraction | (real_bits)1 << FRACTION;
}

real REAL(fmod)(real x, real y)
{
    if (x != x || y != y)
        return x + y;
    if (x - x != 0 || y == 0) {
        errno = EDOM;
        return real_from_bits((real_bits)FIELD << FRACTION | (real_bits)1 << (FRACTION - 1));
    }
    real_bits sign = real_to_bits(x) & ((real_bits)1 << SIGN_AT), a = real_to_bits(x) & ~((real_bits)1 << SIGN_AT), b = real_to_bits(y) & ~((real_bits)1 << SIGN_AT);
    if (a < b)
        return x;
    int ea, eb;
    real_bits n = significand(a, &ea), d = significand(b, &eb);
    if (n >= d)
        n %= d;
    for (; ea > eb; ea--) {
        n *= 2;
        if (n >= d)
            n -= d;
    }
    /* n * 2^eb is the remainder: bring its leading bit to the top, or down to a subnormal. */
    while (n != 0 && ea > 1 && (n >> FRACTION) == 0) {
        n *= 2;
        ea--;
    }
    real_bits magnitude = (n >> FRACTION) == 0 ? n : (n & (((real_bits)1 << FRACTION) - 1)) | (real_bits)ea << FRACTION;
    return real_from_bits(sign | magnitude);
}
