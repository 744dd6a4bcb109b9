/* POSIX.1-2001: n zero bytes. */
#include "belay.h"

void bzero(void *s, size_t n)
{
    memset(s, 0, n);
}
