/* C17 7.21.6: vfscanf. */
#include "belay.h"

int fscanf(FILE *stream, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfscanf(stream, format, args);
    va_end(args);
    return n;
}
