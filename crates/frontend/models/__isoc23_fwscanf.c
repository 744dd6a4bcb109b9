/* glibc's name in C23 programs of fwscanf. */
#include "belay.h"

int __isoc23_fwscanf(FILE *stream, const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfwscanf(stream, format, args);
    va_end(args);
    return n;
}
