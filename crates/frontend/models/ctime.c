/* C17 7.27.3.2: ctime_r into a place that a later call overwrites. t points to a time_t. */
#include "belay.h"

char *ctime_r(const time_t *t, char *text);

char *ctime(const time_t *t)
{
    static char place[26];
    return ctime_r(t, place);
}
