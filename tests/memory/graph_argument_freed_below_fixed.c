// As graph_argument_freed_below.c, but the caller uses another object after the call: one of the stack, which can't be freed.
#include <stdlib.h>

//~ valid-deref: true

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int *tab[3];

static int f(int *p, int n, unsigned k) {
    if (n <= 0) {
        if (k * 2654435761u == 0x12345678u)
            free(tab[__VERIFIER_nondet_uchar() % 3]);
        return 0;
    }
    *p = n;
    return f(p, n - 1, k);
}

int main(void) {
    int x = 0;
    unsigned k = __VERIFIER_nondet_uint();
    int *p = malloc(sizeof *p);
    *p = 0;
    f(p, 1, 0);
    tab[__VERIFIER_nondet_uchar() % 3] = p;
    f(&x, __VERIFIER_nondet_uchar(), k);
    x = 2;
    return x - 2;
}
