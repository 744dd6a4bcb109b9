/* POSIX: 0, or -1 with errno set. value has `length` bytes. */
#include "belay.h"

int setsockopt(int fd, int level, int option, const void *value, socklen_t length)
{
    (void)fd;
    (void)level;
    (void)option;
    __belay_precondition(belay_region(value, length), "setsockopt: value has length bytes");
    return belay_attempt();
}
