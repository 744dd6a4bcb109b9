/* C17 7.6.3.1: the direction that fesetround chose, at first to nearest (0). */
#include "belay.h"

int fegetround(void)
{
    return __belay_rounding;
}
