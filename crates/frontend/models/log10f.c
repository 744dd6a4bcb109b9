/* C17 7.12.6.8: any number. */
#include "belay.h"

float log10f(float x)
{
    (void)x;
    return (float)belay_any_result("log10f");
}
