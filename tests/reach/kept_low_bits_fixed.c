// What is left of a number without those bits.
//~ options: --engines graph
//~ unreach-call: true
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert((x & ~3) % 4 == 0 && (x & 3) < 4 && (x & 3) >= 0);
    return 0;
}
