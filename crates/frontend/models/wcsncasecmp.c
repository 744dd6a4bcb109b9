/* POSIX: wcsncmp without regard to case, C locale. */
#include "belay.h"

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int x = belay_lower(a[i]), y = belay_lower(b[i]);
        if (x != y || x == 0)
            return (x > y) - (x < y);
    }
    return 0;
}
