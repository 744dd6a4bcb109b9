/* What an allocation does to errno: ENOMEM where it gives null (POSIX), unless nothing was asked for. */
#include "belay.h"

void __belay_errno_after(void);

void __belay_errno_allocated(const void *block, size_t size)
{
    if (block == NULL && size != 0)
        errno = ENOMEM;
    else
        __belay_errno_after();
}
