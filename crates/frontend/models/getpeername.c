/* POSIX: 0, or -1 with errno set. from has *length bytes; up to 128 bytes of any address come. */
#include "belay.h"

int getpeername(int fd, struct sockaddr *from, socklen_t *length)
{
    (void)fd;
    int result = belay_attempt();
    if (from != NULL) {
        socklen_t room = *length;
        __belay_precondition(belay_region(from, room), "getpeername: address has *length bytes");
        if (result != -1)
            *length = belay_address(from, room);
    }
    return result;
}
