// What stands before a pointer says how much lies behind it.
//~ options: --enforce last -- -I include
//~ all: true
#include "../../include/belay.h"

char last(const char *s)
belay_requires(belay_has_header(s, 2, (unsigned long)belay_number(s - 2, 2) + 1))
belay_assigns()
{
    unsigned length = (unsigned char)s[-2] | (unsigned)(unsigned char)s[-1] << 8;
    return s[length];
}
