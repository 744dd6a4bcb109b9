/* C17 7.29.4.5.1: reads up to the first c or the NUL, which counts. */
#include "belay.h"

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    size_t i = 0;
    while (s[i] != c) {
        if (s[i] == 0)
            return NULL;
        i++;
    }
    return (wchar_t *)s + i;
}
