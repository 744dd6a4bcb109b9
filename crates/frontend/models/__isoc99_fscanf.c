/* glibc's name in C99 programs of fscanf. */
#include "belay.h"

int __isoc99_fscanf(FILE *stream, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfscanf(stream, format, args);
    va_end(args);
    return n;
}
