// As graph_recursive_free_fixed.c, but the caller frees the block too.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int down(int *p) {
    if (*p < 0) {
        int value = *p;
        free(p);
        return value;
    }
    --*p;
    return down(p);
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    while (i > 0) {
        int *p = malloc(sizeof *p);
        *p = __VERIFIER_nondet_int();
        i += down(p);
        free(p); //~ false(valid-free)
    }
    return 0;
}
