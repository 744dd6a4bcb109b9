/* C17 7.24.4.5 in the C locale: strlen(src); as much as fits, with a NUL, goes to dst's n bytes. What dst holds when it does not
 * all fit is indeterminate (glibc: the first n bytes, without a NUL). No overlap. */
#include "belay.h"

size_t strxfrm(char *dst, const char *src, size_t n)
{
    size_t length = strlen(src);
    size_t copied = length < n ? length + 1 : n;
    __belay_precondition(belay_disjoint(dst, copied, src, length + 1), "strxfrm: strings do not overlap");
    for (size_t i = 0; i < copied; i++)
        dst[i] = src[i];
    return length;
}
