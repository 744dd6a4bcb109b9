/* POSIX.1-2001: 0, or -1 with errno set, on which no violation rests. */
#include "belay.h"

int usleep(unsigned int microseconds)
{
    (void)microseconds;
    return belay_otherwise("a signal interrupts usleep") ? belay_failure() : 0;
}
