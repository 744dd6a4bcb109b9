/* GNU: memcpy that returns the end. The regions have n bytes and do not overlap. */
#include "belay.h"

void *mempcpy(void *dst, const void *src, size_t n)
{
    __belay_precondition(belay_disjoint(dst, n, src, n), "mempcpy: regions do not overlap");
    memcpy(dst, src, n);
    return (char *)dst + n;
}
