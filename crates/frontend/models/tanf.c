/* C17 7.12.4.7: any number. */
#include "belay.h"

float tanf(float x)
{
    (void)x;
    return (float)belay_any_result("tanf");
}
