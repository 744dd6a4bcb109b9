// Before the header there is nothing.
//~ options: --enforce first -- -I include
#include "../../include/belay.h"

char first(const char *s)
belay_requires(belay_has_header(s, 2, 1))
belay_assigns()
{
    return s[-3]; //~ false(valid-deref)
}
