/* GNU: wmemcpy that returns the end. */
#include "belay.h"

wchar_t *wmemcpy(wchar_t *dst, const wchar_t *src, size_t n);

wchar_t *wmempcpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    return wmemcpy(dst, src, n) + n;
}
