/* C17 7.12.6.6: x times 2^n, rounded once; ERANGE where it overflows or becomes zero. */
#include "belay.h"

static float from_bits(uint32_t bits)
{
    union { uint32_t bits; float value; } pun = {bits};
    return pun.value;
}

float ldexpf(float x, int n)
{
    if (x == 0 || x - x != 0)
        return x;
    const float large = from_bits((uint32_t)(2 * 127) << 23), small = from_bits((uint32_t)(23 + 2) << 23);
    float result = x;
    for (int i = 0; i < 3 && n > 127; i++) {
        result *= large;
        n -= 127;
    }
    if (n > 127)
        n = 127;
    /* Downwards all but the last step stay normal, so that only the last one rounds. */
    for (int i = 0; i < 3 && n < -(127 - 1); i++) {
        result *= small;
        n += 127 - 1 - 23 - 1;
    }
    if (n < -(127 - 1))
        n = -(127 - 1);
    result *= from_bits((uint32_t)(127 + n) << 23);
    if (result == 0 || result - result != 0)
        errno = ERANGE;
    return result;
}
