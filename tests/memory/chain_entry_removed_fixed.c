//~ options: --engines graph
//~ memsafety: true
// A hash table on the heap: an entry is taken out by the address of the link that leads to it, which is an element of the table or stands in the entry before.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int key;
    struct entry *next;
};

struct table {
    struct entry **chains;
    unsigned size, count;
    int (*equal)(int *, int *);
};

static int equal(int *a, int *b) { return *a == *b; }

static void insert(struct table *t, int key) {
    unsigned at = (unsigned)key % t->size;
    struct entry *e = t->chains[at];
    while (e) {
        if (t->equal(&e->key, &key))
            return;
        e = e->next;
    }
    e = malloc(sizeof *e);
    e->key = key;
    e->next = t->chains[at];
    t->chains[at] = e;
    t->count++;
}

static void drop(struct table *t, int key) {
    struct entry **link = &t->chains[(unsigned)key % t->size];
    while (*link) {
        if (t->equal(&(*link)->key, &key)) {
            struct entry *e = *link;
            *link = e->next;
            free(e);
            t->count--;
            return;
        }
        link = &(*link)->next;
    }
}

int main(void) {
    struct table *t = malloc(sizeof *t);
    t->size = 193;
    t->count = 0;
    t->equal = equal;
    t->chains = calloc(t->size, sizeof *t->chains);
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int())
            insert(t, key);
        else
            drop(t, key);
    }
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
