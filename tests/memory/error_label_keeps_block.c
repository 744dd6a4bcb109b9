// An error label is a violation to `unreach-call` alone; to all else it is a loop, and a run that never ends leaves nothing behind.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned k = __VERIFIER_nondet_uint();
    int *p = malloc(sizeof *p);
    *p = 1;
    if (k * 2654435761u == 0x12345678u) {
    ERROR:
        goto ERROR;
    }
    free(p);
    return 0;
}

//~ memcleanup: true
//~ unreach-call: false
//~ termination: false
