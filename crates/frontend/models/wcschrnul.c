/* GNU: wcschr that returns the place of the NUL if c does not occur. */
#include "belay.h"

wchar_t *wcschrnul(const wchar_t *s, wchar_t c)
{
    size_t i = 0;
    while (s[i] != 0 && s[i] != c)
        i++;
    return (wchar_t *)s + i;
}
