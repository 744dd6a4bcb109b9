/* C17 7.12.6.11: the exponent of x; minus infinity with ERANGE for zero, infinity for infinite x. */
#include "belay.h"

int ilogb(double x);

double logb(double x)
{
    if (x - x != 0)
        return x * x;
    if (x == 0) {
        errno = ERANGE;
        return -__builtin_inf();
    }
    return (double)ilogb(x);
}
