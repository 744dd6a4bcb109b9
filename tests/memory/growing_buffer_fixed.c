// A vector that doubles: null and empty, or a block of `cap` elements. No conjunction says that, two states do.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vector {
    long *items;
    size_t used, cap;
};

static void append(struct vector *v, long item) {
    if (v->used == v->cap) {
        v->cap = v->cap ? v->cap * 2 : 8;
        v->items = realloc(v->items, v->cap * sizeof *v->items);
    }
    v->items[v->used++] = item;
}

int main(void) {
    struct vector v = {0, 0, 0};
    int n = __VERIFIER_nondet_int();
    for (int k = 0; k < n; k++)
        append(&v, k);
    free(v.items);
    return 0;
}

//~ memsafety: true
