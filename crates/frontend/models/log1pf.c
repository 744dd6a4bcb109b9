/* C17 7.12.6.9: any number. */
#include "belay.h"

float log1pf(float x)
{
    (void)x;
    return (float)belay_any_result("log1pf");
}
