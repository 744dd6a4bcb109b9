/* The array is freed, the blocks that it leads to are lost, and the run ends at a division by zero. */
//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static char **held;

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    held = malloc(n * sizeof *held);
    for (int i = 0; i < n; i++)
        held[i] = malloc(1);
    if (__VERIFIER_nondet_int()) {
        free(held);
        return 1 / (n - n);
    }
    for (int i = 0; i < n; i++)
        free(held[i]);
    free(held);
    return 0;
}
