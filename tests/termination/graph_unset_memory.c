// As graph_unset_memory_fixed.c, but what is looked at is not what is changed.
//~ termination: false
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *a = malloc(4 * sizeof *a);
    a[1] = 5;
    while (a[1] > 0)
        a[0] = a[1];
    free(a);
    return 0;
}
