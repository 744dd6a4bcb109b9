// As lost_before_endless_call.c, but the block is freed before the call.
#include <stdlib.h>

//~ options: --engines graph
//~ valid-memtrack: true

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int *g;

static void f(int n) {
    if (n <= 0)
        for (;;) {
        }
    f(n - 1);
}

int main(void) {
    unsigned k = __VERIFIER_nondet_uint();
    g = malloc(4);
    if (k * 2654435761u == 0x12345678u)
        *g = 0;
    free(g);
    f(3 + __VERIFIER_nondet_uchar() % 4);
    return 0;
}
