// The same with two blocks.
//~ options: --replace clear -- -I include
//~ unreach-call: true
#include "../../include/belay.h"
#include <stdlib.h>
void clear(char *text, char *other)
belay_requires(belay_is_string(text) && belay_is_fresh(other, 1))
belay_assigns(*other)
belay_ensures(*text == belay_old(*text))
{
    *other = 0;
}
int main(void)
{
    char *p = malloc(2), *q = malloc(1);
    if (p && q) {
        p[0] = 'x';
        p[1] = 0;
        *q = 1;
        clear(p, q);
    }
    free(p);
    free(q);
}
