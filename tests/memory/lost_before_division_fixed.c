// As lost_before_division.c, but the pointer is kept.
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int d = __VERIFIER_nondet_uchar();
    int *p = malloc(sizeof *p);
    if (d == 0)
        d = 1;
    int e = 10 / d;
    free(p);
    return e;
}

//~ valid-memtrack: true
