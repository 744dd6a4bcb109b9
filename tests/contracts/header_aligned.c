// Numbers behind a header of a multiple of their size are aligned.
//~ options: --enforce pick -- -I include
//~ all: true
#include "../../include/belay.h"
#include <stdint.h>

int pick(const int *p)
belay_requires(belay_has_header(p, 8, 4 * sizeof *p))
belay_assigns()
{
    return (uintptr_t)p & 3 ? p[4] : p[3];
}
