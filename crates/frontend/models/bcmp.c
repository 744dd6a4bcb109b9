/* POSIX.1-2001: 0 if the n bytes are equal. Both regions have n bytes. */
#include "belay.h"

int bcmp(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n);
}
