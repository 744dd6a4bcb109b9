/* POSIX: strncmp without regard to case, C locale. */
#include "belay.h"

int strncasecmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int x = belay_lower((unsigned char)a[i]), y = belay_lower((unsigned char)b[i]);
        if (x != y || x == '\0')
            return x - y;
    }
    return 0;
}
