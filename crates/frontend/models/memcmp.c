/* C17 7.24.4.1. Both regions have n bytes, even where a difference comes earlier (7.1.4p1). */
#include "belay.h"

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a, *q = b;
    __belay_precondition(belay_region(a, n), "memcmp: first region has n bytes");
    __belay_precondition(belay_region(b, n), "memcmp: second region has n bytes");
    for (size_t i = 0; i < n; i++)
        if (p[i] != q[i])
            return p[i] - q[i];
    return 0;
}
