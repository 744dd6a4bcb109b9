// A mask keeps its bits and takes the others away, not the other way round.
//~ options: --engines graph
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert((x & 3) % 4 == 0); //~ false(unreach-call)
    return 0;
}
