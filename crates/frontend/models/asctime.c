/* C17 7.27.3.1: asctime_r into the text that ctime gives as well, which a later call of either overwrites. */
#include "belay.h"

char *asctime(const struct tm *t)
{
    return asctime_r(t, __belay_time_text);
}
