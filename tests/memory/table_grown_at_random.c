// As table_grown_at_random_fixed.c, but each chain loses all but its first entry as it moves.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct entry {
    void *key;
    struct entry *next;
};

struct table {
    struct entry **slots;
    unsigned size, step;
    unsigned (*hash)(void *);
};

static const unsigned sizes[] = {193, 389, 769, 1543, 3079, 6151};
static int values[16];

static int *pick(void) { return &values[__VERIFIER_nondet_uchar() % 16]; }

static unsigned hash(void *p) { return (unsigned)*(int *)p; }

static int grow(struct table *t) {
    struct entry **old = t->slots;
    unsigned n = t->size;
    t->step++;
    t->size = t->step < sizeof sizes / sizeof *sizes ? sizes[t->step] : 20000;
    t->slots = calloc(t->size, sizeof *t->slots);
    if (!t->slots) {
        t->slots = old;
        t->size = n;
        return 0;
    }
    for (unsigned i = 0; i < n; i++) {
        struct entry *each = old[i];
        if (each) {
            struct entry *next = each->next;
            unsigned k = t->hash(each->key) % t->size;
            each->next = t->slots[k];
            t->slots[k] = each;
            each = next; // nobody looks at it any more
        }
    }
    free(old);
    return 1;
}

static int insert(struct table *t, void *key) {
    if (__VERIFIER_nondet_uchar() && !grow(t))
        return 0;
    struct entry *made = malloc(sizeof *made);
    if (!made)
        return 0;
    unsigned k = t->hash(key) % t->size;
    made->key = key;
    made->next = t->slots[k];
    t->slots[k] = made;
    return 1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    struct table t = {calloc(193, sizeof *t.slots), 193, 0, hash};
    if (!t.slots)
        return 0;
    for (int i = 0; i < n; i++)
        insert(&t, pick());
    for (unsigned i = 0; i < t.size; i++)
        while (t.slots[i]) {
            struct entry *next = t.slots[i]->next;
            free(t.slots[i]);
            t.slots[i] = next;
        }
    free(t.slots);
    return 0;
}
