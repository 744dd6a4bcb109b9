/* POSIX: any number up to n, or -1 with errno set. buffer has n bytes, which are read. */
#include "belay.h"

ssize_t write(int fd, const void *buffer, size_t n)
{
    (void)fd;
    __belay_input.begun = 0;
    __belay_precondition(belay_region(buffer, n), "write: buffer has n bytes");
    if (__VERIFIER_nondet_bool())
        return belay_failure();
    return (ssize_t)belay_size_at_most(n);
}
