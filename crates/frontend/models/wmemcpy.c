/* C17 7.29.4.2.3. Both regions have n elements and do not overlap. */
#include "belay.h"

wchar_t *wmemcpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    __belay_precondition(n <= SIZE_MAX / sizeof *src && belay_disjoint(dst, n * sizeof *src, src, n * sizeof *src),
                         "wmemcpy: regions do not overlap");
    return memcpy(dst, src, n * sizeof *src);
}
