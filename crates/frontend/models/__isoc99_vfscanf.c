/* glibc's name in C99 programs of vfscanf. */
#include "belay.h"

int __isoc99_vfscanf(FILE *stream, const char *format, va_list args)
{
    return vfscanf(stream, format, args);
}
