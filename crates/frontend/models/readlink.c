/* POSIX: up to n bytes, none of them NUL, without a NUL after them; their number, or -1 with errno set. path is a string, buffer
 * has n bytes. */
#include "belay.h"

ssize_t readlink(const char *path, char *buffer, size_t n)
{
    strlen(path);
    __belay_precondition(belay_region(buffer, n), "readlink: buffer has n bytes");
    if (n == 0 || __VERIFIER_nondet_bool())
        return belay_failure();
    size_t got = belay_size_at_most(n < 4096 ? n : 4096);
    for (size_t i = 0; i < got; i++) {
        buffer[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(buffer[i] != '\0');
    }
    return (ssize_t)got;
}
