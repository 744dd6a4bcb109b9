/* C17 7.6.3.2: to nearest (0), downward, upward, towards zero. rint and its kin honour it; a run that does arithmetic in another direction
 * than to nearest is not followed. */
#include "belay.h"

int fesetround(int direction)
{
    if ((direction & ~BELAY_TOWARDS_ZERO) != 0)
        return 1;
    __belay_rounding = direction;
    return 0;
}
