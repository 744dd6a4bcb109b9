// A recursive function clears an array. It is called first with one that owns nothing, then with one whose elements own blocks: these are lost.
//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
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
    clear(a, n);
    free(a);
    free(b);
    return 0;
}
