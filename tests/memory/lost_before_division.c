// A block is lost in runs that end at a division by zero: it was lost in a state that was reached.
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int d = __VERIFIER_nondet_uchar();
    int *p = malloc(sizeof *p);
    if (d == 0)
        p = 0;
    int e = 10 / d;
    free(p);
    return e;
}

//~ valid-memtrack: false
