/* C++17 6.7.4.2: operator delete[]: p is null or a block of the matching operator new. */
#include "belay.h"

void _ZdaPv(void *p)
{
    free(p);
}
