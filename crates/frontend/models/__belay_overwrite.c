/* n bytes of any value into p, each chosen where it is used: what a function without a body may leave in the caller's memory. */
#include "belay.h"

void __belay_overwrite(void *p, size_t n)
{
    if (n) {
        unsigned char bytes[n];
        memcpy(p, bytes, n);
    }
}
