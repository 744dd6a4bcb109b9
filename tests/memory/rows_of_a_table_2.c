//~ memsafety: false(valid-deref)
/* Tables of n rows and m columns in one block: each entry is made of those above and beside it. */
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int n = __VERIFIER_nondet_uchar(), m = __VERIFIER_nondet_uchar();
    long *best = malloc((n + 1) * m * sizeof *best);
    for (int c = 0; c <= m; c++)
        best[c] = c;
    for (int i = 1; i <= n; i++)
        for (int c = 0; c <= m; c++) {
            int back = __VERIFIER_nondet_uchar();
            best[i * (m + 1) + c] = best[(i - 1) * (m + 1) + c];
            if (back <= c && i < n)
                best[(i + 1) * (m + 1) + c - back] = best[i * (m + 1) + c];
        }
    int last = best[n * (m + 1) + m] > 7;
    free(best);
    return last;
}
