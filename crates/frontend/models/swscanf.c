/* C17 7.21.6: vswscanf. */
#include "belay.h"

int swscanf(const wchar_t *s, const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vswscanf(s, format, args);
    va_end(args);
    return n;
}
