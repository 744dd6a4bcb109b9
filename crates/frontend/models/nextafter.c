/* C17 7.12.11.3: the next number from x towards y; ERANGE where that is infinite, subnormal or zero. */
#include "real.h"

real REAL(nextafter)(real x, real y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    real_bits sign = (real_bits)1 << SIGN_AT, bits;
    if (x == 0)
        bits = (real_to_bits(y) & sign) | 1;
    else if ((x < y) == (x > 0))
        bits = real_to_bits(x) + 1;
    else
        bits = real_to_bits(x) - 1;
    real result = real_from_bits(bits);
    if (real_field(result) == 0 || real_field(result) == FIELD)
        errno = ERANGE;
    return result;
}
