/* C17 7.29.4.2.2. dst has n elements, all written; src is read up to its NUL or n elements; no overlap. */
#include "belay.h"

wchar_t *wcsncpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    if (__belay_same_object(dst, src)) {
        size_t length = wcsnlen(src, n);
        __belay_precondition(n <= SIZE_MAX / sizeof *src &&
                                 belay_disjoint(dst, n * sizeof *src, src, (length < n ? length + 1 : n) * sizeof *src),
                             "wcsncpy: strings do not overlap");
    }
    size_t i = 0;
    while (i < n && src[i] != 0) {
        dst[i] = src[i];
        i++;
    }
    while (i < n) {
        dst[i] = 0;
        i++;
    }
    return dst;
}
