// The only pointer to a block is overwritten inside a recursive function, and the run goes on there for ever.
#include <stdlib.h>

//~ options: --engines graph,tester
//~ valid-memtrack: unknown

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int *g;

static void f(int n, unsigned k) {
    if (n <= 0) {
        if (k * 2654435761u == 0x12345678u) {
            g = 0;
            for (;;) {
            }
        }
        return;
    }
    f(n - 1, k);
}

int main(void) {
    g = malloc(4);
    f(__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uint());
    free(g);
    return 0;
}
