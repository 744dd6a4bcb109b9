// Each activation loses a block before it calls the next, and none returns.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void f(unsigned n) {
    int *p = malloc(sizeof *p);
    *p = (int)n;
    p = 0;
    f(n + __VERIFIER_nondet_uint());
}

int main(void) {
    f(0);
    return 0;
}

//~ valid-memtrack: false
