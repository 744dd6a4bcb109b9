/* C17 7.29.4.5.4: the last c of the wide string, its NUL included. */
#include "belay.h"

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    const wchar_t *last = NULL;
    for (size_t i = 0;; i++) {
        if (s[i] == c)
            last = s + i;
        if (s[i] == 0)
            return (wchar_t *)last;
    }
}
