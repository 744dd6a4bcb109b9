// The same with the tag read the wrong way round.
//~ options: --enforce length -- -I include
#include "../../include/belay.h"

unsigned length(const char *s)
belay_requires((belay_has_header(s, 1, 0) && (belay_number(s - 1, 1) & 1) == 0) || (belay_has_header(s, 3, belay_number(s - 3, 2)) && (belay_number(s - 1, 1) & 1) == 1))
belay_assigns()
{
    unsigned char tag = s[-1];
    return tag & 1 ? tag >> 1 : (unsigned)(unsigned char)s[-3]; //~ false(valid-deref)
}
