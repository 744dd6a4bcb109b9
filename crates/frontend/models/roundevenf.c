/* C23 7.12.9.8: halves to even; any argument; exact. */
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

/* Rounded to nearest, halves to even. */
static float nearest(float x)
{
    float whole = truncated(x), rest = x - whole;
    _Bool odd = x > -0x1p23f && x < 0x1p23f && (long long)whole % 2 != 0;
    float result = whole;
    if (rest > 0.5f || (rest == 0.5f && odd))
        result = whole + 1;
    else if (rest < -0.5f || (rest == -0.5f && odd))
        result = whole - 1;
    return from_bits((to_bits(result) & ~(UINT32_C(1) << (32 - 1))) | (to_bits(x) & (UINT32_C(1) << (32 - 1))));
}

float roundevenf(float x)
{
    return nearest(x);
}
