/* C++17 6.7.4.2: operator delete with the size: p is null or a block of the matching operator new. */
#include "belay.h"

void _ZdlPvj(void *p, size_t size)
{
    (void)size;
    free(p);
}
