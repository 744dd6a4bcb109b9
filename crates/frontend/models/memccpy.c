/* POSIX: copies up to n bytes, stops after c, returns the place after it or NULL. The copied bytes do not overlap. */
#include "belay.h"

void *memccpy(void *dst, const void *src, int c, size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    if (__belay_same_object(dst, src)) {
        size_t copied = 0;
        while (copied < n && s[copied] != (unsigned char)c)
            copied++;
        copied += copied < n;
        __belay_precondition(belay_disjoint(dst, copied, src, copied), "memccpy: regions do not overlap");
    }
    for (size_t i = 0; i < n; i++) {
        d[i] = s[i];
        if (s[i] == (unsigned char)c)
            return d + i + 1;
    }
    return NULL;
}
