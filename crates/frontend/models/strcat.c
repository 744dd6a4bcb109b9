/* C17 7.24.3.1. Both are strings, dst has room for both and a NUL, and src does not overlap what is written. */
#include "belay.h"

char *strcat(char *dst, const char *src)
{
    size_t end = strlen(dst);
    if (__belay_same_object(dst, src)) {
        size_t n = strlen(src) + 1;
        __belay_precondition(belay_disjoint(dst, end + n, src, n), "strcat: strings do not overlap");
    }
    size_t i = 0;
    while (src[i] != '\0') {
        dst[end + i] = src[i];
        i++;
    }
    dst[end + i] = '\0';
    return dst;
}
