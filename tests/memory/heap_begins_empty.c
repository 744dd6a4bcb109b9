// A priority queue that begins without a block, in a structure that is as large as a small array and ends with a comparator. The room is counted in bytes.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct heap {
    void **items;
    size_t n, cap;
    int (*less)(const void *, const void *);
};

static int less_int(const void *a, const void *b) { return *(const int *)a < *(const int *)b; }

static int push(struct heap *h, void *item) {
    if (h->n == h->cap) {
        size_t cap = h->cap ? h->cap * 2 : 8;
        void **items = realloc(h->items, cap);
        if (!items) return 0;
        h->items = items;
        h->cap = cap;
    }
    size_t i = h->n++;
    while (i > 0 && h->less(item, h->items[(i - 1) / 2])) {
        h->items[i] = h->items[(i - 1) / 2]; //~ false(valid-deref)
        i = (i - 1) / 2;
    }
    h->items[i] = item;
    return 1;
}

int main(void) {
    static int values[64];
    for (int i = 0; i < 64; i++) values[i] = __VERIFIER_nondet_int();
    struct heap h = {0, 0, 0, less_int};
    while (__VERIFIER_nondet_int()) {
        if (!push(&h, &values[(unsigned)__VERIFIER_nondet_int() % 64])) break;
    }
    free(h.items);
    return 0;
}
