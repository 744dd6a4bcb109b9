/* C17 7.6.3.2: to nearest (0); any other direction is not modelled. */
#include "belay.h"

int fesetround(int direction)
{
    if (direction != 0)
        __belay_unsupported("fesetround: a direction other than to nearest");
    return 0;
}
