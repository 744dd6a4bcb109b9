/* C17 7.27.3.4: localtime_r into the object that gmtime gives as well, which a later call of one of them or of ctime overwrites. t points to a time_t. */
#include "belay.h"

struct tm *localtime(const time_t *t)
{
    return localtime_r(t, &__belay_broken_down_time);
}
