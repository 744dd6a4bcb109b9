/* glibc's name in C23 programs of wscanf. */
#include "belay.h"

int __isoc23_wscanf(const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfwscanf(stdin, format, args);
    va_end(args);
    return n;
}
