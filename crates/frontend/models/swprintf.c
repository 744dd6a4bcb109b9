/* C17 7.29.2.3: vswprintf. */
#include "belay.h"

int vswprintf(wchar_t *s, size_t n, const wchar_t *format, va_list list);

int swprintf(wchar_t *s, size_t n, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vswprintf(s, n, format, list);
    va_end(list);
    return count;
}
