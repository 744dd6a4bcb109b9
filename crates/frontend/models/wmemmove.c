/* C17 7.29.4.2.4. Both regions have n elements, and may overlap. */
#include "belay.h"

wchar_t *wmemmove(wchar_t *dst, const wchar_t *src, size_t n)
{
    __belay_precondition(n <= SIZE_MAX / sizeof *src, "wmemmove: regions have n elements");
    return memmove(dst, src, n * sizeof *src);
}
