/* POSIX: read from a socket; buffer has n bytes, however large n is. from is NULL or has *length bytes; up to 128 bytes of any address come. */
#include "belay.h"

ssize_t recvfrom(int fd, void *buffer, size_t n, int flags, struct sockaddr *from, socklen_t *length)
{
    (void)flags;
    __belay_precondition(belay_region(buffer, n), "recvfrom: buffer has n bytes");
    socklen_t room = from == NULL ? 0 : *length;
    __belay_precondition(from == NULL || belay_region(from, room), "recvfrom: address has *length bytes");
    ssize_t got = read(fd, buffer, n);
    if (from != NULL && got != -1)
        *length = belay_address(from, room);
    return got;
}
