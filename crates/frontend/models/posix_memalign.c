/* POSIX: *block becomes a block of `size` bytes, or EINVAL for an alignment that is no power of two times sizeof(void *), or
 * ENOMEM; what errno is after that is open. block points to a pointer. */
#include "belay.h"

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment == 0 || alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    _Bool open = __belay_errno_open;
    int before = *__errno_location();
    void *p = aligned_alloc(alignment, size);
    if (p == NULL) {
        if (__VERIFIER_nondet_bool()) {
            errno = before;
            __belay_errno_open = open;
        }
        return ENOMEM;
    }
    *block = p;
    return 0;
}
