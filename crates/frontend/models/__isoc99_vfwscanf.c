/* glibc's name in C99 programs of vfwscanf. */
#include "belay.h"

int __isoc99_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
    return vfwscanf(stream, format, args);
}
