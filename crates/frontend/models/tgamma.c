/* C17 7.12.8.4: any number. */
#include "belay.h"

double tgamma(double x)
{
    (void)x;
    return belay_any_result("tgamma");
}
