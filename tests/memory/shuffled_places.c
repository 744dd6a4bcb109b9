// Pointers to elements of an array are kept in another one and swapped; they may lead behind its end.
//~ memsafety: false(valid-deref)
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int values[16];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 1000)
        return 0;
    int **all = malloc(n * sizeof *all);
    for (unsigned i = 0; i < n; i++)
        all[i] = &values[__VERIFIER_nondet_uint() % 17];
    for (unsigned k = 0; k < n; k++) {
        unsigned a = __VERIFIER_nondet_uint() % n, b = __VERIFIER_nondet_uint() % n;
        int *kept = all[a];
        all[a] = all[b];
        all[b] = kept;
    }
    int odd = 0;
    for (unsigned i = 0; i < n; i++)
        odd += *all[i] & 1;
    free(all);
    return odd;
}
