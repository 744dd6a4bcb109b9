// A pointer walks to the 0 that ends an array of numbers.
//~ options: --enforce length -- -I include
//~ memsafety: true
//~ termination: true
#include "../../include/belay.h"
#include <stddef.h>
size_t length(const int *a)
belay_requires(belay_is_terminated(a))
belay_assigns()
{
    const int *at;
    for (at = a; *at; at++)
        ;
    return at - a;
}
