// The same without the byte for the end.
//~ options: --enforce last -- -I include
#include "../../include/belay.h"

char last(const char *s)
belay_requires(belay_has_header(s, 2, (unsigned long)belay_number(s - 2, 2)))
belay_assigns()
{
    unsigned length = (unsigned char)s[-2] | (unsigned)(unsigned char)s[-1] << 8;
    return s[length]; //~ false(valid-deref)
}
