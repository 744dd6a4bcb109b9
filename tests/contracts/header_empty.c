// The same where nothing need be behind the header.
//~ options: --enforce first -- -I include
#include "../../include/belay.h"

char first(const char *s)
belay_requires(belay_has_header(s, 8, belay_number(s - 8, 8)))
belay_assigns()
{
    return s[0]; //~ false(valid-deref)
}
