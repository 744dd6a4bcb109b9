// As chains_resized_fixed.c, but the new table is freed in place of the old one.
//~ memsafety: false(valid-deref)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct entry {
    void *key;
    struct entry *next;
};

struct table {
    struct entry **chains;
    unsigned size, count, prime;
    unsigned (*hash)(void *);
    int (*equal)(void *, void *);
};

static const unsigned primes[] = {5, 11, 23, 47, 97, 193};
static int values[16];

static unsigned hash(void *key) { return *(int *)key; }
static int equal(void *a, void *b) { return *(int *)a == *(int *)b; }

static int allocate(struct table *t) {
    if (t->prime >= 6)
        return 0;
    t->size = primes[t->prime];
    t->chains = calloc(t->size, sizeof *t->chains);
    return t->chains != NULL;
}

static int enlarge(struct table *t) {
    struct entry **old = t->chains;
    unsigned size = t->size;
    ++t->prime;
    if (!allocate(t)) {
        t->chains = old;
        t->size = size;
        --t->prime;
        return 0;
    }
    for (unsigned i = 0; i < size; i++) {
        struct entry *e = old[i];
        while (e) {
            struct entry *next = e->next;
            unsigned at = t->hash(e->key) % t->size;
            e->next = t->chains[at];
            t->chains[at] = e;
            e = next;
        }
    }
    free(t->chains);
    return 1;
}

static void insert(struct table *t, void *key) {
    if (t->count * 3 / t->size > 0 && !enlarge(t))
        return;
    unsigned at = t->hash(key) % t->size;
    for (struct entry *e = t->chains[at]; e; e = e->next)
        if (t->equal(e->key, key))
            return;
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->next = t->chains[at];
    t->chains[at] = e;
    t->count++;
}

int main(void) {
    for (int i = 0; i < 16; i++)
        values[i] = __VERIFIER_nondet_int();
    struct table *t = malloc(sizeof *t);
    t->count = t->prime = 0;
    t->hash = hash;
    t->equal = equal;
    if (!allocate(t)) {
        free(t);
        return 0;
    }
    while (__VERIFIER_nondet_int())
        insert(t, &values[__VERIFIER_nondet_uchar() % 16]);
    for (unsigned i = 0; i < t->size; i++) {
        struct entry *e = t->chains[i];
        while (e) {
            struct entry *next = e->next;
            free(e);
            e = next;
        }
    }
    free(t->chains);
    free(t);
    return 0;
}
