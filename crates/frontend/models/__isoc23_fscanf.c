/* glibc's name in C23 programs of fscanf. */
#include "belay.h"

int __isoc23_fscanf(FILE *stream, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfscanf(stream, format, args);
    va_end(args);
    return n;
}
