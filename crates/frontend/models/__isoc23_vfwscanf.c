/* glibc's name in C23 programs of vfwscanf. */
#include "belay.h"

int __isoc23_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
    return vfwscanf(stream, format, args);
}
