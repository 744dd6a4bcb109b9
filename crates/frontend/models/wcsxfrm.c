/* C17 7.29.4.4.4 in the C locale: wcslen(src); as much as fits, with a NUL, goes to dst's n elements. No overlap. */
#include "belay.h"

size_t wcsxfrm(wchar_t *dst, const wchar_t *src, size_t n)
{
    size_t length = wcslen(src);
    size_t copied = length < n ? length + 1 : n;
    __belay_precondition(belay_disjoint(dst, copied * sizeof *src, src, (length + 1) * sizeof *src),
                         "wcsxfrm: strings do not overlap");
    for (size_t i = 0; i < copied; i++)
        dst[i] = src[i];
    return length;
}
