/* The array is freed, the blocks that it leads to are lost, and the run ends at an assumption that is not met. */
//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    char **held = malloc(n * sizeof *held);
    for (int i = 0; i < n; i++)
        held[i] = malloc(1);
    if (__VERIFIER_nondet_int()) {
        free(held);
        __VERIFIER_assume(0);
    }
    for (int i = 0; i < n; i++)
        free(held[i]);
    free(held);
    return 0;
}
