// As lost_by_endless_calls.c, but each activation frees its block before it calls the next.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void f(unsigned n) {
    int *p = malloc(sizeof *p);
    *p = (int)n;
    free(p);
    f(n + __VERIFIER_nondet_uint());
}

int main(void) {
    f(0);
    return 0;
}

//~ memsafety: true
