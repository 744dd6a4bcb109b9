/* C17 7.12.11.1: any arguments. */
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

float copysignf(float x, float y)
{
    return from_bits((to_bits(x) & ~(UINT32_C(1) << (32 - 1))) | (to_bits(y) & (UINT32_C(1) << (32 - 1))));
}
