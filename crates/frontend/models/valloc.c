/* glibc: a block that begins at a page. */
#include "belay.h"

void *valloc(size_t size)
{
    return aligned_alloc(4096, size);
}
