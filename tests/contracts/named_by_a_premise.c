//~ options: --replace first
//~ unreach-call: false(unreach-call)
// As named_by_a_premise_fixed.c, but the premise holds, so that both pointers must lead to blocks of their own.
#include <stdlib.h>
int first(int *p, int *q, int n)
__CPROVER_requires(n > 0 ==> __CPROVER_is_fresh(p, 4))
__CPROVER_requires(__CPROVER_is_fresh(q, 4))
__CPROVER_assigns()
{
    return n > 0 ? *p + *q : *q;
}
int main(void) {
    int *block = malloc(4);
    if (!block)
        return 0;
    *block = 1;
    first(block, block, 1);
    free(block);
    return 0;
}
