/* GNU: the last c in n bytes. The region has n bytes. */
#include "belay.h"

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    __belay_precondition(belay_region(s, n), "memrchr: region has n bytes");
    for (size_t i = n; i > 0; i--)
        if (p[i - 1] == (unsigned char)c)
            return (void *)(p + i - 1);
    return NULL;
}
