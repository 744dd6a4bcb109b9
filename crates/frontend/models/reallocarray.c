/* GNU, POSIX.1-2024: realloc of count * size bytes; NULL with ENOMEM, the block untouched, if that is no size. */
#include "belay.h"

void *reallocarray(void *p, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, count * size);
}
