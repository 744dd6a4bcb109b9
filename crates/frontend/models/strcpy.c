/* C17 7.24.2.3. src is a string, dst has room for it and its NUL, and they do not overlap. */
#include "belay.h"

char *strcpy(char *dst, const char *src)
{
    if (__belay_same_object(dst, src)) {
        size_t n = strlen(src) + 1;
        __belay_precondition(belay_disjoint(dst, n, src, n), "strcpy: strings do not overlap");
    }
    size_t i = 0;
    while (src[i] != '\0') {
        dst[i] = src[i];
        i++;
    }
    dst[i] = '\0';
    return dst;
}
