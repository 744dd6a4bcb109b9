/* C17 7.29.4.6.1. s is a wide string. */
#include "belay.h"

size_t wcslen(const wchar_t *s)
{
    size_t i = 0;
    while (s[i] != 0)
        i++;
    return i;
}
