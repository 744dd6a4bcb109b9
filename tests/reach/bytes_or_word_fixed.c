// Either way they are the same.
//~ options: --engines graph
//~ unreach-call: true
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char *p = malloc(4);
    if (__VERIFIER_nondet_int()) p[0] = 4, p[1] = 3, p[2] = 2, p[3] = 1;
    else *(int *)p = 0x01020304;
    while (__VERIFIER_nondet_int()) { }
    assert(p[1] == 3);
    free(p);
    return 0;
}
