/* POSIX: wcscmp without regard to case, C locale. */
#include "belay.h"

int wcscasecmp(const wchar_t *a, const wchar_t *b)
{
    for (size_t i = 0;; i++) {
        int x = belay_lower(a[i]), y = belay_lower(b[i]);
        if (x != y || x == 0)
            return (x > y) - (x < y);
    }
}
