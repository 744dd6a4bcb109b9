/* C17 7.12.4.7: any number. */
#include "belay.h"

double tan(double x)
{
    (void)x;
    return belay_any_result("tan");
}
