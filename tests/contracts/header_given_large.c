// The length that the header says goes round with one more: there is none of the bytes that it promises.
//~ options: --replace clear -- -I include
#include "../../include/belay.h"
#include <stdlib.h>
#include <string.h>
void clear(unsigned char *s, char *other)
belay_requires(belay_has_header(s, 8, belay_number(s - 8, 8) + 1) && belay_is_fresh(other, 1)) //~ false(unreach-call)
belay_assigns(*other)
{
    *other = 0;
}
int main(void)
{
    unsigned char *p = malloc(8);
    char *q = malloc(1);
    if (p && q) {
        memset(p, 255, 8);
        clear(p + 8, q);
    }
    free(p);
    free(q);
}
