/* glibc's name in C23 programs of vscanf. */
#include "belay.h"

int __isoc23_vscanf(const char *format, va_list args)
{
    return vfscanf(stdin, format, args);
}
