/* C17 7.12.8.3: any number. */
#include "belay.h"

float lgammaf(float x)
{
    (void)x;
    return (float)belay_any_result("lgammaf");
}
