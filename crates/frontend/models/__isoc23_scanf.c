/* glibc's name in C23 programs of scanf. */
#include "belay.h"

int __isoc23_scanf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfscanf(stdin, format, args);
    va_end(args);
    return n;
}
