// What the contract does not let it free is alive at the end.
//~ options: --enforce drop
//~ unreach-call: false
#include <stdlib.h>
void drop(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)))
{
    free(p);
}
