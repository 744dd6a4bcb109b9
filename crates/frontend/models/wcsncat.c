/* C17 7.29.4.3.2: at most n elements of src, then a NUL; dst has room for them; no overlap. */
#include "belay.h"

wchar_t *wcsncat(wchar_t *dst, const wchar_t *src, size_t n)
{
    size_t end = wcslen(dst);
    if (__belay_same_object(dst, src)) {
        size_t length = wcsnlen(src, n);
        __belay_precondition(belay_disjoint(dst, (end + length + 1) * sizeof *src, src,
                                            (length < n ? length + 1 : n) * sizeof *src),
                             "wcsncat: strings do not overlap");
    }
    size_t i = 0;
    while (i < n && src[i] != 0) {
        dst[end + i] = src[i];
        i++;
    }
    dst[end + i] = 0;
    return dst;
}
