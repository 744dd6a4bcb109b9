// As graph_argument_freed.c, but the block is used before it is freed.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int *tab[3];

static int f(int *p, int n, unsigned k) {
    if (n <= 0)
        return 0;
    if (n == 3 && k * 2654435761u == 0x12345678u) {
        *p = 1;
        free(tab[__VERIFIER_nondet_uchar() % 3]);
    }
    return f(p, n - 1, k);
}

int main(void) {
    int x = 0, n = __VERIFIER_nondet_int();
    if (n > 5)
        return 0;
    unsigned k = __VERIFIER_nondet_uint();
    f(&x, 1, 0);
    int *p = malloc(sizeof *p);
    *p = 0;
    tab[__VERIFIER_nondet_uchar() % 3] = p;
    f(p, n, k);
    return 0;
}

//~ memsafety: true
