/* C17 7.12.6.4: x as a fraction in [0.5, 1) and a power of two in *exponent (0 for zero, infinite and nan). exponent points
 * to an int. */
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

float frexpf(float x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || x - x != 0)
        return x;
    if ((to_bits(x) >> 23 & 0xff) == 0) {
        x *= 0x1p23f;
        *exponent = -23;
    }
    uint32_t bits = to_bits(x);
    *exponent += (int)(bits >> 23 & 0xff) - (127 - 1);
    return from_bits((bits & ~((uint32_t)0xff << 23)) | (uint32_t)(127 - 1) << 23);
}
