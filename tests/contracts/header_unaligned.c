// Behind a header of two bytes nothing says that they are.
//~ options: --enforce pick -- -I include
#include "../../include/belay.h"
#include <stdint.h>

int pick(const int *p)
belay_requires(belay_has_header(p, 2, 4 * sizeof *p))
belay_assigns()
{
    return (uintptr_t)p & 3 ? p[4] : p[3]; //~ false(valid-deref)
}
