// As graph_argument_freed.c, but the caller uses the block after the call that may have freed it.
#include <stdlib.h>

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
    f(&x, 1, 0);
    int *p = malloc(sizeof *p);
    *p = 0;
    tab[__VERIFIER_nondet_uchar() % 3] = p;
    f(p, __VERIFIER_nondet_uchar(), k);
    *p = 2; //~ false(valid-deref)
    return 0;
}
