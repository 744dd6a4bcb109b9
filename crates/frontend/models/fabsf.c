/* C17 7.12.7.2: the sign bit cleared; any argument. */
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

float fabsf(float x)
{
    return from_bits(to_bits(x) & ~(UINT32_C(1) << (32 - 1)));
}
