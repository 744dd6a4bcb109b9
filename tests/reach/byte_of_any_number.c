// A byte of a number of which nothing is known is no known byte.
//~ options: --engines graph
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int *p = malloc(4);
    *p = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) { }
    assert(((signed char *)p)[1] == -1); //~ false(unreach-call)
    free(p);
    return 0;
}
