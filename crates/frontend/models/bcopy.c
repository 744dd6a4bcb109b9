/* POSIX.1-2001: memmove with the arguments turned round; the regions may overlap. */
#include "belay.h"

void bcopy(const void *src, void *dst, size_t n)
{
    memmove(dst, src, n);
}
