// Locals, new blocks, whole objects and slices.
//~ options: --enforce store
//~ unreach-call: true
//~ memsafety: true
#include <stdlib.h>
struct pair { int first, second; };
int count;
void store(struct pair *p, char *text, unsigned n)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)))
__CPROVER_requires(n <= 5 && __CPROVER_is_fresh(text, 8))
__CPROVER_assigns(p->second, __CPROVER_object_upto(text, n); n > 2: count)
{
    int local[3] = {0, 1, 2};
    int *made = malloc(sizeof(int));
    if (!made) return;
    *made = local[1];
    p->second = *made;
    free(made);
    for (unsigned i = 0; i < n; i++) text[i] = 'x';
    if (n > 3) count = 1;
}
