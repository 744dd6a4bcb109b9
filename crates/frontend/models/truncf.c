/* C17 7.12.9.8: any argument; exact. */
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

float truncf(float x)
{
    return truncated(x);
}
