/* C17 7.29.4.2.1. src is a wide string, dst has room for it and its NUL, and they do not overlap. */
#include "belay.h"

wchar_t *wcscpy(wchar_t *dst, const wchar_t *src)
{
    if (__belay_same_object(dst, src)) {
        size_t bytes = (wcslen(src) + 1) * sizeof *src;
        __belay_precondition(belay_disjoint(dst, bytes, src, bytes), "wcscpy: strings do not overlap");
    }
    size_t i = 0;
    while (src[i] != 0) {
        dst[i] = src[i];
        i++;
    }
    dst[i] = 0;
    return dst;
}
