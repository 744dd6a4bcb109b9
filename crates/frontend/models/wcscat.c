/* C17 7.29.4.3.1. Both are wide strings, dst has room for both and a NUL; no overlap. */
#include "belay.h"

wchar_t *wcscat(wchar_t *dst, const wchar_t *src)
{
    size_t end = wcslen(dst);
    if (__belay_same_object(dst, src)) {
        size_t n = wcslen(src) + 1;
        __belay_precondition(belay_disjoint(dst, (end + n) * sizeof *src, src, n * sizeof *src),
                             "wcscat: strings do not overlap");
    }
    size_t i = 0;
    while (src[i] != 0) {
        dst[end + i] = src[i];
        i++;
    }
    dst[end + i] = 0;
    return dst;
}
