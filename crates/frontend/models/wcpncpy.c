/* POSIX: wcsncpy that returns the place of the first NUL written, or dst + n. */
#include "belay.h"

wchar_t *wcpncpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    size_t length = wcsnlen(src, n);
    wcsncpy(dst, src, n);
    return dst + length;
}
