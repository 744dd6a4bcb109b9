/* C17 7.29.4.5.8. Reads one element after the other and stops at the match. */
#include "belay.h"

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (wchar_t *)s + i;
    return NULL;
}
