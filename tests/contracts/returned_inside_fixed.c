//~ options: --enforce make
//~ memsafety: true
//~ unreach-call: true
#include <stdlib.h>
char *make(void)
__CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, 4))
{
    char *p = malloc(8);
    return p;
}
