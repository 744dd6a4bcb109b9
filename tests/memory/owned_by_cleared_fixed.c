// The blocks that the elements own are given back.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void clear(int **a, int n)
{
    if (n <= 0) return;
    a[n - 1] = 0;
    clear(a, n - 1);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b);
    clear(b, n);
    for (int i = 0; i < n; i++) a[i] = malloc(4);
    for (int i = 0; i < n; i++) free(a[i]);
    free(a);
    free(b);
    return 0;
}
