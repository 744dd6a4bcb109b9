// As lost_before_assumption.c, but the pointer is still there where the run ends.
#include <stdlib.h>

extern void __VERIFIER_assume(int);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned k = __VERIFIER_nondet_uint();
    int *p = malloc(sizeof *p);
    *p = 3;
    __VERIFIER_assume(k * 2654435761u != 0x12345678u);
    free(p);
    return 0;
}

//~ memsafety: true
