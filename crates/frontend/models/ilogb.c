/* C17 7.12.6.5: the exponent of x as an int; INT_MIN with EDOM for zero and nan, INT_MAX with EDOM for infinite x. */
#include "real.h"

int REAL(ilogb)(real x)
{
    if (x == 0 || x - x != 0) {
        errno = EDOM;
        return x == 0 || x != x ? INT_MIN : INT_MAX;
    }
    if (real_field(x) != 0)
        return real_field(x) - BIAS;
    return real_field(x * real_power_of_two(FRACTION)) - BIAS - FRACTION;
}
