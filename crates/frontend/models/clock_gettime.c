/* POSIX: the time that a clock shows in *t, which does not go back, and 0; -1 with EINVAL for a clock that there is not. t points to a timespec. */
#include "belay.h"

int clock_gettime(int clock_id, struct timespec *t)
{
    if (clock_id < 0 || clock_id >= BELAY_CLOCKS) {
        errno = EINVAL;
        return -1;
    }
    *t = belay_read_clock((unsigned)clock_id);
    return 0;
}
