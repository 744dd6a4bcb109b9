/* C17 7.12.6.6: x times 2^n, rounded once; ERANGE where it overflows or becomes zero. */
#include "belay.h"

static double from_bits(uint64_t bits)
{
    union { uint64_t bits; double value; } pun = {bits};
    return pun.value;
}

double ldexp(double x, int n)
{
    if (x == 0 || x - x != 0)
        return x;
    const double large = from_bits((uint64_t)(2 * 1023) << 52), small = from_bits((uint64_t)(52 + 2) << 52);
    double result = x;
    for (int i = 0; i < 3 && n > 1023; i++) {
        result *= large;
        n -= 1023;
    }
    if (n > 1023)
        n = 1023;
    /* Downwards all but the last step stay normal, so that only the last one rounds. */
    for (int i = 0; i < 3 && n < -(1023 - 1); i++) {
        result *= small;
        n += 1023 - 1 - 52 - 1;
    }
    if (n < -(1023 - 1))
        n = -(1023 - 1);
    result *= from_bits((uint64_t)(1023 + n) << 52);
    if (result == 0 || result - result != 0)
        errno = ERANGE;
    return result;
}
