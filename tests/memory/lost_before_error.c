// A block is lost in runs that end in an error function that has a body.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

void reach_error(void) {
}

int main(void) {
    unsigned k = __VERIFIER_nondet_uint();
    int *p = malloc(sizeof *p);
    *p = 1;
    if (k * 2654435761u == 0x12345678u) {
        p = 0;
        reach_error();
    }
    free(p);
    return 0;
}

//~ valid-memtrack: false
