/* C17 7.21.6: vsscanf. */
#include "belay.h"

int sscanf(const char *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsscanf(s, format, args);
    va_end(args);
    return n;
}
