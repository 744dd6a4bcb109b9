// The number of bytes is counted in 32 bits: it wraps around behind 2^30 elements, and the block is too small.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *items = 0;
    unsigned used = 0, cap = 0;
    while (__VERIFIER_nondet_int()) {
        if (used == cap) {
            cap = cap ? cap * 2 : 8;
            unsigned bytes = cap * 4u;
            items = realloc(items, bytes);
        }
        items[used++] = 1;
    }
    free(items);
    return 0;
}

//~ options: --engines graph
//~ memsafety: unknown
