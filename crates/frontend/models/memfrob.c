/* GNU: each of n bytes exclusive-or 42. */
#include "belay.h"

void *memfrob(void *s, size_t n)
{
    unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        p[i] ^= 42;
    return s;
}
