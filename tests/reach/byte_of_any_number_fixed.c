// A byte of a constant is known.
//~ unreach-call: true
//~ options: --engines graph
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int *p = malloc(4);
    *p = -2;
    while (__VERIFIER_nondet_int()) { }
    assert(((signed char *)p)[1] == -1);
    free(p);
    return 0;
}
