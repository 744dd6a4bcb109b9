// The same, where the walk goes on behind the 0.
//~ options: --enforce length -- -I include
#include "../../include/belay.h"
#include <stddef.h>
size_t length(const int *a)
belay_requires(belay_is_terminated(a))
belay_assigns()
{
    const int *at;
    for (at = a; *at++;)
        ;
    return *at - a[0]; //~ false(valid-deref)
}
