/* POSIX.1-2001: 0, or -1 with errno set. */
#include "belay.h"

int usleep(unsigned int microseconds)
{
    (void)microseconds;
    return belay_attempt();
}
