/* GNU: memchr without an end; the byte occurs within the object. */
#include "belay.h"

void *rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}
