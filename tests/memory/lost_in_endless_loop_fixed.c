// As lost_in_endless_loop.c, but the block is freed before its pointer goes.
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int *g;

int main(void) {
    g = malloc(4);
    if (__VERIFIER_nondet_uchar() == 7) {
        free(g);
        g = 0;
    }
    for (;;) {
    }
    return 0;
}

//~ valid-memtrack: true
