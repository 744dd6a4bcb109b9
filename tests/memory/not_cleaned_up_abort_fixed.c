//~ memsafety: true
//~ memcleanup: true
//~ unreach-call: false
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int *p = malloc(sizeof *p);
    *p = __VERIFIER_nondet_int();
    int found = *p == 1000003;
    free(p);
    if (found)
        reach_error();
    return 0;
}
