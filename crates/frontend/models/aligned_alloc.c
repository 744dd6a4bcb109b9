/* C17 7.22.3.1: a block as malloc's, at an address that is a multiple of the alignment. glibc 2.36 rounds an alignment that is no power of two up, C17 lets
 * it fail: either may happen, and nothing is known of the address. Where it gives null it sets errno (POSIX). */
#include "belay.h"

void *aligned_alloc(size_t alignment, size_t size)
{
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        if (__VERIFIER_nondet_bool()) {
            errno = EINVAL;
            return NULL;
        }
        alignment = 1;
    }
    /* Every block is aligned for any type (C17 7.22.3p1); the other function promises just what it is asked for. */
    void *block = alignment <= _Alignof(max_align_t) ? malloc(size) : __belay_aligned_block(alignment, size);
    if (block == NULL)
        errno = ENOMEM;
    return block;
}
