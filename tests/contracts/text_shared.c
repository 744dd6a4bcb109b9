// A text and a byte that a contract takes for apart are one block: what the contract promises of the text is not so.
//~ options: --replace clear -- -I include
#include "../../include/belay.h"
#include <stdlib.h>
void clear(char *text, char *other)
belay_requires(belay_is_string(text) && belay_is_fresh(other, 1)) //~ false(unreach-call)
belay_assigns(*other)
belay_ensures(*text == belay_old(*text))
{
    *other = 0;
}
int main(void)
{
    char *p = malloc(2);
    if (!p)
        return 0;
    p[0] = 'x';
    p[1] = 0;
    clear(p, p);
    free(p);
}
