/* C17 7.27.3.4: localtime_r into a place that a later call overwrites. t points to a time_t. */
#include "belay.h"

struct tm *localtime(const time_t *t)
{
    static struct tm place;
    return localtime_r(t, &place);
}
