/* Called before errno is read: what calls that did not fail may have done to it, C17 7.5p3. */
#include "belay.h"

void __belay_errno_read(void)
{
    if (!__belay_errno_open)
        return;
    if (belay_otherwise("a library function may set errno though nothing failed"))
        errno = belay_int_between(1, INT_MAX);
    __belay_errno_open = 0;
}
