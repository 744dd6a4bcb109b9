/* C17 7.27.3.3: gmtime_r into a place that a later call overwrites. t points to a time_t. */
#include "belay.h"

struct tm *gmtime(const time_t *t)
{
    static struct tm place;
    return gmtime_r(t, &place);
}
