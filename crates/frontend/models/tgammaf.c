/* C17 7.12.8.4: any number. */
#include "belay.h"

float tgammaf(float x)
{
    (void)x;
    return (float)belay_any_result("tgammaf");
}
