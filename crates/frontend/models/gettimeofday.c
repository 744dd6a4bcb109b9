/* POSIX: any time in *t, and any zone (two ints) in *zone, unless they are null; 0, or -1 with errno set. */
#include "belay.h"

int gettimeofday(struct timeval *t, void *zone)
{
    if (__VERIFIER_nondet_bool())
        return belay_failure();
    if (t != NULL) {
        t->tv_sec = __VERIFIER_nondet_long();
        t->tv_usec = belay_int_between(0, 999999);
    }
    if (zone != NULL)
        __belay_fill(zone, 2 * sizeof(int));
    return 0;
}
