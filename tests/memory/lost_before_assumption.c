// A block is lost in runs that end at an assumption which is not met: it was lost in a state that was reached.
#include <stdlib.h>

extern void __VERIFIER_assume(int);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned k = __VERIFIER_nondet_uint();
    int *p = malloc(sizeof *p);
    *p = 3;
    if (k * 2654435761u == 0x12345678u)
        p = 0;
    __VERIFIER_assume(k * 2654435761u != 0x12345678u);
    free(p);
    return 0;
}

//~ valid-memtrack: false
