/* C17 7.12.6.7: any number. */
#include "belay.h"

float logf(float x)
{
    (void)x;
    return (float)belay_any_result("logf");
}
