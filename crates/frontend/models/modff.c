/* C17 7.12.6.12: the whole part to *whole, the fraction as result, both with the sign of x. whole points to a float. */
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

/* x without its fraction, with its sign also where that is zero. */
static float truncated(float x)
{
    if (!(x > -0x1p23f && x < 0x1p23f))
        return x; /* a whole number, infinite or nan */
    float whole = (float)(long long)x;
    return from_bits((to_bits(whole) & ~(UINT32_C(1) << (32 - 1))) | (to_bits(x) & (UINT32_C(1) << (32 - 1))));
}

float modff(float x, float *whole)
{
    *whole = truncated(x);
    float fraction = x - *whole;
    if (x - x != 0 && x == x)
        fraction = 0; /* infinite */
    if (x != x)
        return x;
    return from_bits((to_bits(fraction) & ~(UINT32_C(1) << (32 - 1))) | (to_bits(x) & (UINT32_C(1) << (32 - 1))));
}
