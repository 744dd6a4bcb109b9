// An array of pointers of any length: each element owns a block, and every block is freed.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++)
        rows[i] = malloc(sizeof **rows);
    for (int i = 0; i < n; i++)
        *rows[i] = i;
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
    return 0;
}
