/* POSIX: read from a socket; buffer has n bytes, however large n is. */
#include "belay.h"

ssize_t recv(int fd, void *buffer, size_t n, int flags)
{
    (void)flags;
    __belay_precondition(belay_region(buffer, n), "recv: buffer has n bytes");
    return read(fd, buffer, n);
}
