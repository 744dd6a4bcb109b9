// The bytes that are written are those of another number.
//~ options: --engines graph
//~ unreach-call: true
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), a = x, b = x;
    while (__VERIFIER_nondet_int()) ((char *)&b)[__VERIFIER_nondet_int() & 3] = 1;
    int *p = &a;
    assert(*p == x);
    return 0;
}
