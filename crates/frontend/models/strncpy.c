/* C17 7.24.2.4. dst has n bytes, all written; src is read up to its NUL or n bytes; what is read and what is written
 * do not overlap. */
#include "belay.h"

char *strncpy(char *dst, const char *src, size_t n)
{
    if (__belay_same_object(dst, src)) {
        size_t length = strnlen(src, n);
        __belay_precondition(belay_disjoint(dst, n, src, length < n ? length + 1 : n),
                             "strncpy: strings do not overlap");
    }
    size_t i = 0;
    while (i < n && src[i] != '\0') {
        dst[i] = src[i];
        i++;
    }
    while (i < n) {
        dst[i] = '\0';
        i++;
    }
    return dst;
}
