//~ options: --enforce count -- -I include
//~ unreach-call: true
//~ memsafety: true
#include "../../include/belay.h"
unsigned long count(const int *a)
belay_requires(belay_is_terminated(a))
belay_assigns()
{
    unsigned long n = 0;
    while (a[n]) n++;
    return n;
}
