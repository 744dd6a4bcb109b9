/* C17 7.12.10.2: x less the nearest multiple of y, halves to even, exactly; nan with EDOM for an infinite x or a zero y. */
#include "belay.h"

double remquo(double x, double y, int *quotient);

double remainder(double x, double y)
{
    int quotient;
    if (x == x && y == y && (x - x != 0 || y == 0))
        errno = EDOM;
    return remquo(x, y, &quotient);
}
