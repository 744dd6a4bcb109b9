// A byte of a number is written, no one knows which: the number is not any more what another variable still is.
//~ options: --engines graph
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), a = x;
    while (__VERIFIER_nondet_int()) ((char *)&a)[__VERIFIER_nondet_int() & 3] = 1;
    assert(a == x); //~ false(unreach-call)
    return 0;
}
