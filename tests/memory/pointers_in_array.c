// An array of pointers of any length: each element owns a block, and one element is copied over another.
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
    rows[n / 2] = rows[0];
    for (int i = 0; i < n; i++)
        free(rows[i]); //~ false(valid-free)
    free(rows);
    return 0;
}
