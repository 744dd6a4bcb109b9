// A tag says which header it is: the short one has no third byte.
//~ options: --enforce length -- -I include
//~ all: true
#include "../../include/belay.h"

unsigned length(const char *s)
belay_requires((belay_has_header(s, 1, 0) && (belay_number(s - 1, 1) & 1) == 0) || (belay_has_header(s, 3, belay_number(s - 3, 2)) && (belay_number(s - 1, 1) & 1) == 1))
belay_assigns()
{
    unsigned char tag = s[-1];
    return tag & 1 ? (unsigned)(unsigned char)s[-3] : tag >> 1;
}
