/* glibc's name in C99 programs of vscanf. */
#include "belay.h"

int __isoc99_vscanf(const char *format, va_list args)
{
    return vfscanf(stdin, format, args);
}
