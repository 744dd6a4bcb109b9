//~ termination: true
#include <stdio.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++)
        printf("%u %s\n", i, "so far");
    return 0;
}
