/* C17 7.12.6.10: any number. */
#include "belay.h"

float log2f(float x)
{
    (void)x;
    return (float)belay_any_result("log2f");
}
