// One byte is missing behind the header.
//~ options: --replace clear -- -I include
#include "../../include/belay.h"
#include <stdlib.h>
void clear(unsigned char *s, char *other)
belay_requires(belay_has_header(s, 1, s[-1]) && belay_is_fresh(other, 1)) //~ false(unreach-call)
belay_assigns(*other)
{
    *other = 0;
}
int main(void)
{
    unsigned char *p = malloc(4);
    char *q = malloc(1);
    if (p && q) {
        p[0] = 4;
        clear(p + 1, q);
    }
    free(p);
    free(q);
}
