/* C17 7.12.7.3: at least 0; infinite if one argument is, even beside NaN. */
#include "belay.h"

double hypot(double x, double y)
{
    (void)x;
    (void)y;
    return belay_any_result("hypot");
}
