// A returned block is new and not lost.
//~ options: --enforce f
//~ unreach-call: true
//~ memsafety: true
#include <stdlib.h>
int *f(void) __CPROVER_assigns() __CPROVER_ensures(__CPROVER_return_value == 0 || __CPROVER_is_fresh(__CPROVER_return_value, 4)) { return malloc(4); }
