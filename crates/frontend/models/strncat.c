/* C17 7.24.3.2: at most n bytes of src, then a NUL: dst has room for strlen(dst) + min(n, strlen(src)) + 1. No overlap. */
#include "belay.h"

char *strncat(char *dst, const char *src, size_t n)
{
    size_t end = strlen(dst);
    if (__belay_same_object(dst, src)) {
        size_t length = strnlen(src, n);
        __belay_precondition(belay_disjoint(dst, end + length + 1, src, length < n ? length + 1 : n),
                             "strncat: strings do not overlap");
    }
    size_t i = 0;
    while (i < n && src[i] != '\0') {
        dst[end + i] = src[i];
        i++;
    }
    dst[end + i] = '\0';
    return dst;
}
