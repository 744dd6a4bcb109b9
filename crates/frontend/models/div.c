/* C17 7.22.6.2: a zero divisor, and the least value by -1, are seen as the division's own violation. */
#include "belay.h"

div_t div(int numerator, int denominator)
{
    div_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}
