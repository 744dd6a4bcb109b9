/* POSIX: read from a socket; buffer has n bytes, however large n is. from is NULL or has *length bytes; up to 128 bytes of any address come. */
#include "belay.h"

ssize_t recvfrom(int fd, void *buffer, size_t n, int flags, struct sockaddr *from, socklen_t *length)
{
    (void)flags;
    __belay_precondition(belay_region(buffer, n), "recvfrom: buffer has n bytes");
    if (from != NULL) {
        socklen_t room = *length, got = __VERIFIER_nondet_uint();
        __belay_precondition(belay_region(from, room), "recvfrom: address has *length bytes");
        __VERIFIER_assume(got <= 128);
        __belay_fill(from, got < room ? got : room);
        *length = got;
    }
    return read(fd, buffer, n);
}
