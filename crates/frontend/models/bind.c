/* POSIX: 0, or -1 with errno set. address has `length` bytes. */
#include "belay.h"

int bind(int fd, const struct sockaddr *address, socklen_t length)
{
    (void)fd;
    __belay_precondition(belay_region(address, length), "bind: address has length bytes");
    return belay_attempt();
}
