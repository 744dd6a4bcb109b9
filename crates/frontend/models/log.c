/* C17 7.12.6.7: any number. */
#include "belay.h"

double log(double x)
{
    (void)x;
    return belay_any_result("log");
}
