// A priority queue of pointers with a comparator: elements sink and rise past a hole, which is filled at the end.
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct heap {
    void **items;
    unsigned n, cap;
    int (*less)(const void *, const void *);
};

static int values[16];

static int less_int(const void *a, const void *b) { return *(const int *)a < *(const int *)b; }

static void push(struct heap *h, void *item) {
    if (h->n >= h->cap) {
        h->cap *= 2;
        h->items = realloc(h->items, h->cap * sizeof *h->items);
        if (!h->items) abort();
    }
    unsigned i = h->n++;
    while (i > 0 && h->less(item, h->items[(i - 1) / 2])) {
        h->items[i] = h->items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->items[i] = item;
}

static void *pop(struct heap *h) {
    if (h->n == 0) return NULL;
    void *first = h->items[0], *last = h->items[h->n - 1];
    h->n--;
    unsigned i = 0;
    for (;;) {
        unsigned left = 2 * i + 1, right = 2 * i + 2, next;
        if (left < h->n && h->less(h->items[left], last))
            next = right < h->n && h->less(h->items[right], h->items[left]) ? right : left;
        else if (right < h->n && h->less(h->items[right], last))
            next = right;
        else
            break;
        h->items[i] = h->items[next];
        i = next;
    }
    h->items[i] = last;
    return first;
}

int main(void) {
    for (int k = 0; k < 16; k++) values[k] = __VERIFIER_nondet_int();
    struct heap *h = malloc(sizeof *h);
    if (!h) abort();
    h->n = 0;
    h->cap = 4;
    h->less = less_int;
    h->items = malloc(h->cap * sizeof *h->items);
    if (!h->items) abort();
    int rounds = __VERIFIER_nondet_int();
    if (rounds > 100000) rounds = 100000;
    for (int k = 0; k < rounds; k++) {
        if (__VERIFIER_nondet_int()) {
            push(h, &values[(unsigned)__VERIFIER_nondet_int() % 16]);
        } else {
            int *least = pop(h);
            if (least && *least > 0) break;
        }
    }
    free(h->items);
    free(h);
    return 0;
}
