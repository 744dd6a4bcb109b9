/* glibc's name in C99 programs of swscanf. */
#include "belay.h"

int __isoc99_swscanf(const wchar_t *s, const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vswscanf(s, format, args);
    va_end(args);
    return n;
}
