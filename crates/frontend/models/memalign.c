/* glibc: aligned_alloc by its older name. */
#include "belay.h"

void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}
