/* C17 7.29.2.8: an exact parse, see scan.h. Both are wide strings, s read as far as the parse goes; each conversion's pointer has room
 * for what it takes: no width, no bound. */
#define CHAR wchar_t
#define WIDE 1
#include "scan.h"

int vswscanf(const wchar_t *s, const wchar_t *format, va_list args)
{
    va_list rest;
    va_copy(rest, args);
    int n = belay_scan(s, format, &rest);
    va_end(rest);
    return n;
}
