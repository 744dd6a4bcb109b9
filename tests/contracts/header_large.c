// A length that goes round with one more is none that a caller gives: there is the byte that the one more stands for.
//~ options: --enforce first -- -I include
//~ all: true
#include "../../include/belay.h"

char first(const char *s)
belay_requires(belay_has_header(s, 8, belay_number(s - 8, 8) + 1))
belay_assigns()
{
    return s[0];
}
