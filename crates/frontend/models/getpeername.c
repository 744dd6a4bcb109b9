/* POSIX: 0, or -1 with errno set. from has *length bytes; up to 128 bytes of any address come. */
#include "belay.h"

int getpeername(int fd, struct sockaddr *from, socklen_t *length)
{
    (void)fd;
    if (from != NULL) {
        socklen_t room = *length, got = __VERIFIER_nondet_uint();
        __belay_precondition(belay_region(from, room), "getpeername: address has *length bytes");
        __VERIFIER_assume(got <= 128);
        __belay_fill(from, got < room ? got : room);
        *length = got;
    }
    return belay_attempt();
}
