/* glibc's name in C23 programs of vwscanf. */
#include "belay.h"

int __isoc23_vwscanf(const wchar_t *format, va_list args)
{
    return vfwscanf(stdin, format, args);
}
