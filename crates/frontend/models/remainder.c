/* C17 7.12.10.2: x less the nearest multiple of y, halves to even, exactly; nan with EDOM for an infinite x or a zero y. */
#include "real.h"

real REAL(remquo)(real x, real y, int *quotient);

real REAL(remainder)(real x, real y)
{
    int quotient;
    if (x == x && y == y && (x - x != 0 || y == 0))
        errno = EDOM;
    return REAL(remquo)(x, y, &quotient);
}
