/* POSIX: any process number. */
#include "belay.h"

pid_t getppid(void)
{
    return belay_int_between(0, INT_MAX);
}
