/* C17 7.21.6: vfscanf of stdin. */
#include "belay.h"

int scanf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfscanf(stdin, format, args);
    va_end(args);
    return n;
}
