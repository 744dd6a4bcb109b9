/* BSD, POSIX.1-2024: copies at most n - 1 bytes and a NUL, returns strlen(src). src is a string; no overlap. */
#include "belay.h"

size_t strlcpy(char *dst, const char *src, size_t n)
{
    size_t length = strlen(src);
    if (n == 0)
        return length;
    size_t copied = length < n ? length : n - 1;
    __belay_precondition(belay_disjoint(dst, copied + 1, src, length + 1), "strlcpy: strings do not overlap");
    for (size_t i = 0; i < copied; i++)
        dst[i] = src[i];
    dst[copied] = '\0';
    return length;
}
