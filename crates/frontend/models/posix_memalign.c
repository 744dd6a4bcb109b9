/* POSIX: *block becomes a block of `size` bytes, or EINVAL for an alignment that is no power of two times sizeof(void *), or
 * ENOMEM. block points to a pointer. */
#include "belay.h"

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment == 0 || alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    void *p = aligned_alloc(alignment, size);
    if (p == NULL)
        return ENOMEM;
    *block = p;
    return 0;
}
