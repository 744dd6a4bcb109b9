/* POSIX: a descriptor, or -1 with errno set. from is NULL or has *length bytes; up to 128 bytes of any address come. */
#include "belay.h"

int accept(int fd, struct sockaddr *from, socklen_t *length)
{
    (void)fd;
    int result = belay_descriptor();
    if (from != NULL) {
        socklen_t room = *length;
        __belay_precondition(belay_region(from, room), "accept: address has *length bytes");
        if (result != -1)
            *length = belay_address(from, room);
    }
    return result;
}
