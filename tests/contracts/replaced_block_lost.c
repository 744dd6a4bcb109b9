// The block that the contract promises is lost.
//~ options: --replace make
//~ memsafety: false(valid-memtrack)
#include <stdlib.h>
int *make(int n) __CPROVER_requires(n > 0) __CPROVER_assigns() __CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, 4)) ;
int main(void) { int *p = make(3); *p = 1; p = 0; return 0; }
