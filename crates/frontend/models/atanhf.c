/* C17 7.12.5.3: any number. */
#include "belay.h"

float atanhf(float x)
{
    (void)x;
    return (float)belay_any_result("atanhf");
}
