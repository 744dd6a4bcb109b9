/* POSIX: copies n bytes (n - 1 if n is odd) with neighbours exchanged; nothing if n is negative. No overlap. */
#include "belay.h"

void swab(const void *src, void *dst, ssize_t n)
{
    const unsigned char *s = src;
    unsigned char *d = dst;
    size_t even = n > 0 ? (size_t)n & ~(size_t)1 : 0;
    __belay_precondition(belay_disjoint(dst, even, src, even), "swab: regions do not overlap");
    for (size_t i = 0; i < even; i += 2) {
        d[i] = s[i + 1];
        d[i + 1] = s[i];
    }
}
