/* C17 7.27.2.4: the time of day: not negative, not less than before, and before the year 2242. timer is null or points to a time_t. */
#include "belay.h"

time_t time(time_t *timer)
{
    time_t now = belay_read_clock(0).tv_sec;
    if (timer)
        *timer = now;
    return now;
}
