/* glibc's name in C99 programs of vswscanf. */
#include "belay.h"

int __isoc99_vswscanf(const wchar_t *s, const wchar_t *format, va_list args)
{
    return vswscanf(s, format, args);
}
