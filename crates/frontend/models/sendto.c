/* POSIX: write to a socket. to is NULL or has `length` bytes. */
#include "belay.h"

ssize_t sendto(int fd, const void *buffer, size_t n, int flags, const struct sockaddr *to, socklen_t length)
{
    (void)flags;
    if (to != NULL)
        __belay_precondition(belay_region(to, length), "sendto: address has length bytes");
    return write(fd, buffer, n);
}
