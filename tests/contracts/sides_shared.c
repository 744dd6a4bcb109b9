// What one side of a disjunction names, a later clause has to be apart from.
//~ options: --replace clear -- -I include
#include "../../include/belay.h"
#include <stdlib.h>
void clear(char *first, char *other)
belay_requires(first == 0 || belay_is_fresh(first, 1))
belay_requires(belay_is_fresh(other, 1)) //~ false(unreach-call)
belay_assigns(*other)
belay_ensures(first == 0 || *first == belay_old(first ? *first : 0))
{
    *other = 0;
}
int main(void)
{
    char *p = malloc(1);
    if (!p)
        return 0;
    *p = 1;
    clear(p, p);
    free(p);
}
