/* glibc's name in C23 programs of vfscanf. */
#include "belay.h"

int __isoc23_vfscanf(FILE *stream, const char *format, va_list args)
{
    return vfscanf(stream, format, args);
}
