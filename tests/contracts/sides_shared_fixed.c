// The same with null, of which nothing is named; and a side that fails in its middle names nothing for the next one.
//~ options: --replace clear --replace copy -- -I include
//~ unreach-call: true
#include "../../include/belay.h"
#include <stdlib.h>
void clear(char *first, char *other)
belay_requires(first == 0 || belay_is_fresh(first, 1))
belay_requires(belay_is_fresh(other, 1))
belay_assigns(*other)
belay_ensures(first == 0 || *first == belay_old(first ? *first : 0))
{
    *other = 0;
}
void copy(char *to, const char *from)
belay_requires((belay_is_fresh(to, 1) && belay_is_fresh(from, 1)) || (belay_is_fresh(to, 1) && from == to))
belay_assigns(*to)
{
    *to = *from;
}
int main(void)
{
    char *p = malloc(1), *q = malloc(1);
    if (p && q) {
        *p = 1;
        *q = 1;
        clear(0, p);
        clear(q, p);
        *p = 2;
        copy(p, p);
        copy(p, q);
    }
    free(p);
    free(q);
}
