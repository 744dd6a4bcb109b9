// As header_count_chosen.c, but only what the one byte counts is read.
//~ options: --enforce f -- -I include
//~ memsafety: true
#include "../../include/belay.h"

unsigned char f(unsigned char *s)
belay_requires(belay_has_header(s, 9, (s[-9] == 1 ? belay_number(s - 8, 8) : s[-8])))
belay_assigns()
{
    if (s[-9] != 1 && s[-1] >= 0x80 && s[-8] > 0)
        return s[s[-8] - 1];
    return 0;
}
