/* C17 7.12.7.1: any number. */
#include "belay.h"

float cbrtf(float x)
{
    (void)x;
    return (float)belay_any_result("cbrtf");
}
