// A chain of a table on the heap is searched for a key before a new entry is put in front of it, and the table grows.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int key, value;
    struct entry *next;
};

struct map {
    struct entry **buckets;
    size_t size, n;
};

static int grow(struct map *m) {
    size_t size = m->size * 2;
    struct entry **buckets = calloc(size, sizeof *buckets);
    if (!buckets)
        return 0;
    for (size_t i = 0; i < m->size; i++)
        for (struct entry *e = m->buckets[i]; e;) {
            struct entry *next = e->next;
            size_t j = (unsigned)e->key % size;
            e->next = buckets[j];
            buckets[j] = e;
            e = next;
        }
    free(m->buckets);
    m->buckets = buckets;
    m->size = size;
    return 1;
}

static int put(struct map *m, int key, int value) {
    for (struct entry *e = m->buckets[(unsigned)key % m->size]; e; e = e->next)
        if (e->key == key) {
            e->value = value;
            return 1;
        }
    if (m->n > m->size && !grow(m))
        return 0;
    struct entry *e = malloc(sizeof *e);
    if (!e)
        return 0;
    size_t i = (unsigned)key % m->size;
    e->key = key;
    e->value = value;
    e->next = m->buckets[i];
    m->buckets[i] = e;
    m->n++;
    return 1;
}

int main(void) {
    struct map m = {calloc(8, sizeof(struct entry *)), 8, 0};
    if (!m.buckets)
        return 1;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        put(&m, __VERIFIER_nondet_int(), i);
    for (size_t i = 0; i < m.size; i++)
        for (struct entry *e = m.buckets[i]; e;) {
            struct entry *next = e->next;
            free(e);
            e = next;
        }
    free(m.buckets);
    return 0;
}
