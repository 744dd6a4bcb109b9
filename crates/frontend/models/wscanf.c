/* C17 7.29.2.12: vfwscanf of stdin. */
#include "belay.h"

int wscanf(const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfwscanf(stdin, format, args);
    va_end(args);
    return n;
}
