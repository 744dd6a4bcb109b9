/* POSIX: up to n bytes of any content, their number, or -1 with errno set; bytes do not come for ever. buffer has n bytes: an input that fills them
 * exists. More than SSIZE_MAX bytes may fail only. */
#include "belay.h"

ssize_t read(int fd, void *buffer, size_t n)
{
    (void)fd;
    if (n > SIZE_MAX / 2)
        return belay_failure();
    __belay_precondition(belay_region(buffer, n), "read: buffer has n bytes");
    if (__VERIFIER_nondet_bool())
        return belay_failure();
    size_t got = belay_read_at_most(n);
    __belay_fill(buffer, got);
    return (ssize_t)got;
}
