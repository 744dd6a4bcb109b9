/* C17 7.12.5.2: any number. */
#include "belay.h"

float asinhf(float x)
{
    (void)x;
    return (float)belay_any_result("asinhf");
}
