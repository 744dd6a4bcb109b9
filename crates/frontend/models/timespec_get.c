/* C17 7.27.2.5: any time, and the base; or 0 for a base other than TIME_UTC. at points to a struct timespec. */
#include "belay.h"

int timespec_get(struct timespec *at, int base)
{
    if (base != 1 || __VERIFIER_nondet_bool())
        return 0;
    at->tv_sec = __VERIFIER_nondet_long();
    at->tv_nsec = belay_int_between(0, 999999999);
    return base;
}
