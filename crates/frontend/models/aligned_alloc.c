/* C17 7.22.3.1: a block as malloc's. Its integer address has the alignment of a malloc block, not more: a program that looks at the
 * address sees more behaviours than it has. glibc 2.36 rounds a bad alignment up, C17 lets it fail: either may happen. */
#include "belay.h"

void *aligned_alloc(size_t alignment, size_t size)
{
    if ((alignment == 0 || (alignment & (alignment - 1)) != 0) && __VERIFIER_nondet_bool()) {
        errno = EINVAL;
        return NULL;
    }
    return malloc(size);
}
