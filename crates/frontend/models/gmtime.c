/* C17 7.27.3.3: gmtime_r into the object that localtime gives as well, which a later call of one of them or of ctime overwrites. t points to a time_t. */
#include "belay.h"

struct tm *gmtime(const time_t *t)
{
    return gmtime_r(t, &__belay_broken_down_time);
}
