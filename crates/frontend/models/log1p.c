/* C17 7.12.6.9: any number. */
#include "belay.h"

double log1p(double x)
{
    (void)x;
    return belay_any_result("log1p");
}
