// It may free what it was given.
//~ options: --enforce drop
//~ unreach-call: true
//~ memsafety: true
#include <stdlib.h>
void drop(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)))
__CPROVER_frees(p)
{
    free(p);
}
