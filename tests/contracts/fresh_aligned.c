// What a pointer to numbers leads to is aligned as they have to be.
//~ options: --enforce first
//~ all: true
#include <stddef.h>
#include <stdint.h>

int first(int *d)
__CPROVER_requires(__CPROVER_is_fresh(d, 4 * sizeof(int)))
__CPROVER_assigns()
{
    return (uintptr_t)d & 3 ? d[4] : d[3];
}
