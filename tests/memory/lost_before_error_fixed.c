// As lost_before_error.c, but the pointer is kept: whoever ends the run may have freed the block.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int *p;

void reach_error(void) {
}

int main(void) {
    unsigned k = __VERIFIER_nondet_uint();
    p = malloc(sizeof *p);
    *p = 1;
    if (k * 2654435761u == 0x12345678u)
        reach_error();
    free(p);
    p = 0;
    return 0;
}

//~ valid-memtrack: true
