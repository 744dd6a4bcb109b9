// As error_label_keeps_block.c, but the block is freed before.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned k = __VERIFIER_nondet_uint();
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    if (k * 2654435761u == 0x12345678u) {
    ERROR:
        goto ERROR;
    }
    return 0;
}

//~ memcleanup: true
