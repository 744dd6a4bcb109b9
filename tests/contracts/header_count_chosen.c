// A tag says whether the length has eight bytes or one; what stands in the eight where the one counts may be any number.
//~ options: --enforce f -- -I include
#include "../../include/belay.h"

unsigned char f(unsigned char *s)
belay_requires(belay_has_header(s, 9, (s[-9] == 1 ? belay_number(s - 8, 8) : s[-8])))
belay_assigns()
{
    if (s[-9] != 1 && s[-1] >= 0x80)
        return s[100000]; //~ false(valid-deref)
    return 0;
}
