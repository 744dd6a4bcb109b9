/* POSIX: the time of day in *t, which does not go back, and any zone (two ints) in *zone, unless they are null; 0. */
#include "belay.h"

int gettimeofday(struct timeval *t, void *zone)
{
    if (t != NULL) {
        struct timespec now = belay_read_clock(0);
        t->tv_sec = now.tv_sec;
        t->tv_usec = now.tv_nsec / 1000;
    }
    if (zone != NULL)
        __belay_fill(zone, 2 * sizeof(int));
    return 0;
}
