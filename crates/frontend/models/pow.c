/* C17 7.12.7.4: any number. */
#include "belay.h"

double pow(double x, double y)
{
    (void)x;
    (void)y;
    return belay_any_result("pow");
}
