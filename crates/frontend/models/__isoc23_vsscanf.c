/* glibc's name in C23 programs of vsscanf. */
#include "belay.h"

int __isoc23_vsscanf(const char *s, const char *format, va_list args)
{
    return vsscanf(s, format, args);
}
