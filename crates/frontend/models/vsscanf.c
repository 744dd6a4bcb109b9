/* C17 7.21.6.14: an exact parse, see scan.h. Both are strings, s read as far as the parse goes; each conversion's pointer has room
 * for what it takes: no width, no bound. */
#define CHAR char
#define WIDE 0
#include "scan.h"

int vsscanf(const char *s, const char *format, va_list args)
{
    va_list rest;
    va_copy(rest, args);
    int n = belay_scan(s, format, &rest);
    va_end(rest);
    return n;
}
