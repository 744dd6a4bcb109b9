/* POSIX: 0, or -1 with errno set. */
#include "belay.h"

int listen(int fd, int backlog)
{
    (void)fd;
    (void)backlog;
    return belay_attempt();
}
