/* POSIX: 0, or -1 with errno set and what was left in *left unless left is null, on which no violation rests. asked points to a time. */
#include "belay.h"

int nanosleep(const struct timespec *asked, struct timespec *left)
{
    time_t seconds = asked->tv_sec;
    long nanoseconds = asked->tv_nsec;
    if (seconds < 0 || nanoseconds < 0 || nanoseconds > 999999999) {
        errno = EINVAL;
        return -1;
    }
    if (!belay_otherwise("a signal interrupts nanosleep"))
        return 0;
    if (left != NULL) {
        left->tv_sec = __VERIFIER_nondet_long();
        left->tv_nsec = belay_int_between(0, 999999999);
        __VERIFIER_assume(left->tv_sec >= 0 && left->tv_sec <= seconds);
    }
    return belay_failure();
}
