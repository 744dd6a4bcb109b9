/* POSIX: strcpy that returns the place of the NUL. Preconditions of strcpy. */
#include "belay.h"

char *stpcpy(char *dst, const char *src)
{
    if (__belay_same_object(dst, src)) {
        size_t n = strlen(src) + 1;
        __belay_precondition(belay_disjoint(dst, n, src, n), "stpcpy: strings do not overlap");
    }
    size_t i = 0;
    while (src[i] != '\0') {
        dst[i] = src[i];
        i++;
    }
    dst[i] = '\0';
    return dst + i;
}
