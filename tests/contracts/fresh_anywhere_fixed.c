//~ options: --enforce fill
//~ memsafety: true
#include <stddef.h>
#include <stdint.h>

void fill(unsigned char *d, size_t n)
__CPROVER_requires(n <= 100 && __CPROVER_is_fresh(d, n))
__CPROVER_assigns(__CPROVER_object_upto(d, n))
{
    if (n && ((uintptr_t)d & 1)) d[n - 1] = 0;
    for (size_t i = 0; i < n; i++) d[i] = 1;
}
