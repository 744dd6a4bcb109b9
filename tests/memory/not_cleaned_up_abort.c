//~ memsafety: true
//~ memcleanup: false
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The program ends with a block alive, whoever ends it. */
int main(void) {
    int *p = malloc(sizeof *p);
    *p = __VERIFIER_nondet_int();
    if (*p == 1000003)
        reach_error();
    free(p);
    return 0;
}
