// Callers give a pointer with as much before and behind it as is required.
//~ options: --replace clear -- -I include
//~ unreach-call: true
#include "../../include/belay.h"
#include <stdlib.h>
void clear(unsigned char *s, char *other)
belay_requires(belay_has_header(s, 1, s[-1]) && belay_is_fresh(other, 1))
belay_assigns(*other)
{
    *other = 0;
}
int main(void)
{
    unsigned char *p = malloc(4);
    char *q = malloc(1);
    if (p && q) {
        p[0] = 3;
        clear(p + 1, q);
    }
    free(p);
    free(q);
}
