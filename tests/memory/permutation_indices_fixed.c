// Indices in an array are below its length, and lead into another array of that length.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int *place = malloc(n * sizeof *place);
    int *mark = calloc(n, sizeof *mark);
    for (int i = 0; i < n; i++)
        place[i] = i;
    for (int i = 0; i < n; i++) {
        int other = __VERIFIER_nondet_int();
        if (other >= 0 && other < n)
            place[i] = other;
    }
    for (int i = 0; i < n; i++)
        mark[place[i]] = 1;
    free(place);
    free(mark);
    return 0;
}
