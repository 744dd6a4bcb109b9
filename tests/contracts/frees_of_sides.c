// Which block it was given depends on the side that holds: that of `p` may not be freed.
//~ options: --enforce drop
//~ unreach-call: unknown(which of several blocks)
#include <stdlib.h>
void drop(int c, int *p, int *r)
__CPROVER_requires((c == 1 && __CPROVER_is_fresh(p, 4)) || (c != 1 && __CPROVER_is_fresh(r, 4)))
__CPROVER_assigns()
__CPROVER_frees(r)
{
    if (c == 1)
        free(p);
}
