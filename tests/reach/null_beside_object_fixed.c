/* A pointer into its object is not null. */
//~ unreach-call: true
#include <assert.h>

extern long __VERIFIER_nondet_long(void);

static char bytes[4];

int main(void)
{
    long on = __VERIFIER_nondet_long();
    if (on < 0 || on > 4)
        return 0;
    char *p = bytes + on;
    if (p == 0)
        assert(0);
    return 0;
}
