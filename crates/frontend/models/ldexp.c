/* C17 7.12.6.6: x times 2^n, rounded once; ERANGE where it overflows or becomes zero. */
#include "real.h"

real REAL(ldexp)(real x, int n)
{
    if (x == 0 || x - x != 0)
        return x;
    const int least = -(BIAS - 1), step = BIAS - 1 - FRACTION - 1;
    real result = x;
    for (int i = 0; i < 3 && n > BIAS; i++) {
        result *= real_power_of_two(BIAS);
        n -= BIAS;
    }
    if (n > BIAS)
        n = BIAS;
    /* Downwards all but the last step stay normal, so that only the last one rounds. */
    for (int i = 0; i < 3 && n < least; i++) {
        result *= real_power_of_two(-step);
        n += step;
    }
    if (n < least)
        n = least;
    result *= real_power_of_two(n);
    if (result == 0 || result - result != 0)
        errno = ERANGE;
    return result;
}
