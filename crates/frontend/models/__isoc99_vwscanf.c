/* glibc's name in C99 programs of vwscanf. */
#include "belay.h"

int __isoc99_vwscanf(const wchar_t *format, va_list args)
{
    return vfwscanf(stdin, format, args);
}
