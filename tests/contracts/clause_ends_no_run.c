//~ options: --enforce f
//~ memsafety: unknown
// The write behind the block breaks `assigns` first. That ends no run of the user's, so that nothing is proved of what comes after.
#include <stddef.h>

void f(int *p, size_t n)
__CPROVER_requires(n > 0 && n < 100 && __CPROVER_is_fresh(p, n * sizeof(int)))
__CPROVER_assigns(__CPROVER_object_upto(p, n * sizeof(int)))
{
    for (size_t i = 0; i <= n; i++)
        p[i] = 1; //~ false(unreach-call)
}
