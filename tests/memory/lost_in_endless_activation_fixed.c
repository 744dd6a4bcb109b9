// As lost_in_endless_activation.c, but the pointer is kept, and the activation comes to its end.
#include <stdlib.h>

//~ options: --engines graph,tester
//~ valid-memtrack: true

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int *g;

static void f(int n, unsigned k) {
    if (n <= 0) {
        if (k * 2654435761u == 0x12345678u) {
            for (int i = 0; i < 10; i++) {
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
