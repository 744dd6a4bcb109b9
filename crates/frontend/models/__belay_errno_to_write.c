/* The address of errno, for a write: what calls may have done to it before no longer matters. */
#include "belay.h"

int *__belay_errno_to_write(void)
{
    __belay_errno_open = 0;
    return __errno_location();
}
