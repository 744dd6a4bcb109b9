/* C17 7.22.6.2: a zero divisor, and the least value by -1, are seen as the division's own violation. */
#include "belay.h"

ldiv_t ldiv(long numerator, long denominator)
{
    ldiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}
