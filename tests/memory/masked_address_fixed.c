// An address that is kept or cleared by a mask, without a branch: where it is not null, it leads where it led.
//~ memsafety: true
//~ unreach-call: true
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int value = 7;
    _Bool kept = __VERIFIER_nondet_bool();
    unsigned long mask = -(unsigned long)kept;
    int *p = (int *)((unsigned long)&value & mask);
    if (p)
        assert(*p == 7 && kept);
    else
        assert(!kept);
    return 0;
}
