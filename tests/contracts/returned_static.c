// What is returned is no new block.
//~ options: --enforce f
//~ unreach-call: false
#include <stdlib.h>
int *f(void) __CPROVER_assigns() __CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, 4)) { static int k; return &k; }
