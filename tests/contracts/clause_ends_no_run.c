//~ options: --enforce f
//~ memsafety: unknown
// The first write breaks `assigns`. That ends no run of the user's, so that nothing is proved of what comes after.
#include <stddef.h>

void f(int *p, int *q)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)) && __CPROVER_is_fresh(q, sizeof(int)))
__CPROVER_assigns(*p)
{
    *q = 1; //~ false(unreach-call)
    p[1] = 1;
}
