//~ options: --engines graph
//~ memsafety: true
//~ memcleanup: true
//~ termination: true
// The block is counted down and freed by the innermost call; what was there before is passed on by value.
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
    }
    return 0;
}
