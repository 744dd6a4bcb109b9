// The size can't wrap before the block is larger than any address space: the proof says that it takes that for granted.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *items = 0;
    size_t used = 0, cap = 0;
    while (__VERIFIER_nondet_int()) {
        if (used == cap) {
            cap = cap ? cap * 2 : 8;
            items = realloc(items, cap * sizeof *items);
        }
        items[used++] = 1;
    }
    free(items);
    return 0;
}

//~ options: --engines graph
//~ memsafety: true
