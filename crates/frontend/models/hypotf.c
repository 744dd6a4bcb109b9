/* C17 7.12.7.3: at least 0; infinite if one argument is, even beside NaN. */
#include "belay.h"

float hypotf(float x, float y)
{
    (void)x;
    (void)y;
    return (float)belay_any_result("hypotf");
}
