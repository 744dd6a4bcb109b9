/* POSIX: the length, but at most n; no byte after the NUL or the nth is read. */
#include "belay.h"

size_t strnlen(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] != '\0')
        i++;
    return i;
}
