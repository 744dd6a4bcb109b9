/* What a call that does not speak of errno may do to it, though nothing failed: C17 7.5p3. Decided where errno is read, if every read is seen. */
#include "belay.h"

void __belay_errno_after(void)
{
    if (__belay_errno_lazily)
        __belay_errno_open = 1;
    else if (belay_otherwise("a library function may set errno though nothing failed"))
        errno = belay_int_between(1, INT_MAX);
}
