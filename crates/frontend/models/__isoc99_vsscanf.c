/* glibc's name in C99 programs of vsscanf. */
#include "belay.h"

int __isoc99_vsscanf(const char *s, const char *format, va_list args)
{
    return vsscanf(s, format, args);
}
