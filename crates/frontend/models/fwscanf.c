/* C17 7.29.2.2: vfwscanf. */
#include "belay.h"

int fwscanf(FILE *stream, const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfwscanf(stream, format, args);
    va_end(args);
    return n;
}
