//~ options: --enforce f
// `2 & 1` is 0, though both are true: a predicate's `&` is no `&&` unless its sides are truth values.
#include <stdbool.h>
#include <stddef.h>

bool fits(int *p, int a, int b)
{
    return __CPROVER_is_fresh(p, sizeof(int)) && (a & b) == 0;
}

int f(int *p, int a, int b)
__CPROVER_requires(fits(p, a, b))
__CPROVER_assigns()
{
    if (a == 2 && b == 1)
        return p[1]; //~ false(valid-deref)
    return p[0];
}
