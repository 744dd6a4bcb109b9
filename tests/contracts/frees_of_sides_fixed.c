//~ options: --enforce drop
//~ memsafety: true
//~ unreach-call: true
#include <stdlib.h>
void drop(int c, int *p, int *r)
__CPROVER_requires((c == 1 && __CPROVER_is_fresh(p, 4)) || (c != 1 && __CPROVER_is_fresh(r, 4)))
__CPROVER_assigns()
__CPROVER_frees(p, r)
{
    if (c == 1)
        free(p);
}
