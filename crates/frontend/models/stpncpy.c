/* POSIX: strncpy that returns the place of the first NUL written, or dst + n. Preconditions of strncpy. */
#include "belay.h"

char *stpncpy(char *dst, const char *src, size_t n)
{
    if (__belay_same_object(dst, src)) {
        size_t length = strnlen(src, n);
        __belay_precondition(belay_disjoint(dst, n, src, length < n ? length + 1 : n),
                             "stpncpy: strings do not overlap");
    }
    size_t i = 0;
    while (i < n && src[i] != '\0') {
        dst[i] = src[i];
        i++;
    }
    size_t end = i;
    while (i < n) {
        dst[i] = '\0';
        i++;
    }
    return dst + end;
}
