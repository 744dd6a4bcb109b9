// Four bytes are written one by one or at once: the second byte of a number is not its first.
//~ options: --engines graph
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char *p = malloc(4);
    if (__VERIFIER_nondet_int()) p[0] = p[1] = p[2] = p[3] = 4;
    else *(int *)p = 0x01020304;
    while (__VERIFIER_nondet_int()) { }
    assert(p[1] == 4); //~ false(unreach-call)
    free(p);
    return 0;
}
