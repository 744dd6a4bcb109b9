/* glibc's name in C23 programs of vswscanf. */
#include "belay.h"

int __isoc23_vswscanf(const wchar_t *s, const wchar_t *format, va_list args)
{
    return vswscanf(s, format, args);
}
