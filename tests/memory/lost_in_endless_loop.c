// A block is lost, and the run goes on for ever without asking for anything.
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int *g;

int main(void) {
    g = malloc(4);
    if (__VERIFIER_nondet_uchar() == 7)
        g = 0;
    for (;;) {
    }
    return 0;
}

//~ valid-memtrack: false
