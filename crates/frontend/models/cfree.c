/* Older glibc: free. */
#include "belay.h"

void cfree(void *p)
{
    free(p);
}
