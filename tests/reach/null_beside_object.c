/* A pointer that was moved out of its object may be null: where the object lies is open, so that this is not to be proved. */
//~ unreach-call: unknown
#include <assert.h>

extern long __VERIFIER_nondet_long(void);

static char bytes[4];

int main(void)
{
    long back = __VERIFIER_nondet_long();
    char *p = bytes - back;
    if (p == 0)
        assert(0);
    return 0;
}
