/* POSIX: strcmp without regard to case, C locale. */
#include "belay.h"

int strcasecmp(const char *a, const char *b)
{
    for (size_t i = 0;; i++) {
        int x = belay_lower((unsigned char)a[i]), y = belay_lower((unsigned char)b[i]);
        if (x != y || x == '\0')
            return x - y;
    }
}
