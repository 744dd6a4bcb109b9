/* POSIX: 0 with a name of at most 64 bytes in buffer, NUL-terminated if it fits, or -1 with errno set. buffer has n bytes. */
#include "belay.h"

int gethostname(char *buffer, size_t n)
{
    __belay_precondition(belay_region(buffer, n), "gethostname: buffer has n bytes");
    if (n == 0 || __VERIFIER_nondet_bool())
        return belay_failure();
    size_t length = belay_size_at_most(64);
    __belay_fill(buffer, length < n ? length : n);
    if (length < n)
        buffer[length] = '\0';
    return 0;
}
