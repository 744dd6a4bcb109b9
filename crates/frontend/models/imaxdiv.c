/* C17 7.8.2.2: a zero divisor, and the least value by -1, are seen as the division's own violation. */
#include "belay.h"

imaxdiv_t imaxdiv(intmax_t numerator, intmax_t denominator)
{
    imaxdiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}
