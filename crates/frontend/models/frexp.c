/* C17 7.12.6.4: x as a fraction in [0.5, 1) and a power of two in *exponent (0 for zero, infinite and nan). exponent points
 * to an int. */
#include "real.h"

real REAL(frexp)(real x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || x - x != 0)
        return x;
    if (real_field(x) == 0) {
        x *= real_power_of_two(FRACTION);
        *exponent = -FRACTION;
    }
    *exponent += real_field(x) - (BIAS - 1);
    return real_from_bits((real_to_bits(x) & ~((real_bits)FIELD << FRACTION)) | (real_bits)(BIAS - 1) << FRACTION);
}
