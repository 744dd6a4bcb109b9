/* An array of variable length ends with its block, and the blocks that only it leads to are lost. */
//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    {
        char *held[n];
        for (int i = 0; i < n; i++)
            held[i] = malloc(1);
    }
    exit(0);
}
