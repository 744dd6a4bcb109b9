//~ options: --enforce count -- -I include
#include "../../include/belay.h"
unsigned long count(const int *a)
belay_requires(belay_is_terminated(a))
belay_assigns()
{
    unsigned long n = 1;
    while (a[n]) n++; //~ false(valid-deref)
    return n;
}
