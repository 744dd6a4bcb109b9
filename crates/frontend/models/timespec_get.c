/* C17 7.27.2.5: the time of day, and the base; or 0 for a base other than TIME_UTC. at points to a struct timespec. */
#include "belay.h"

int timespec_get(struct timespec *at, int base)
{
    if (base != 1)
        return 0;
    *at = belay_read_clock(0);
    return base;
}
