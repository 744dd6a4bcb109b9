// Who is given a fresh block gets its start, and may free it.
//~ options: --enforce make
//~ unreach-call: false
#include <stdlib.h>
char *make(void)
__CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, 4))
{
    char *p = malloc(8);
    return p + 4;
}
