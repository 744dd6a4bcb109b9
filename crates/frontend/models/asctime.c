/* C17 7.27.3.1: asctime_r into a place that a later call overwrites. */
#include "belay.h"

char *asctime(const struct tm *t)
{
    static char place[26];
    return asctime_r(t, place);
}
