/* glibc's name in C23 programs of sscanf. */
#include "belay.h"

int __isoc23_sscanf(const char *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsscanf(s, format, args);
    va_end(args);
    return n;
}
