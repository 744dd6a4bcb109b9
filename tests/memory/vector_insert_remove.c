// As vector_insert_remove_fixed.c, but the search looks at one element more than there are, which nobody has written.
//~ memsafety: false(valid-deref)
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct vector {
    void **data;
    unsigned length, capacity;
};

static int values[16];

static int *pick(void) { return &values[__VERIFIER_nondet_uchar() % 16]; }

static int equal(void *a, void *b) { return *(int *)a == *(int *)b; }

static int insert(struct vector *v, unsigned index, void *value) {
    if (index > v->length)
        return 0;
    if (v->length + 1 > v->capacity) {
        void **more = realloc(v->data, sizeof(void *) * v->capacity * 2);
        if (!more)
            return 0;
        v->data = more;
        v->capacity *= 2;
    }
    memmove(&v->data[index + 1], &v->data[index], (v->length - index) * sizeof(void *));
    v->data[index] = value;
    v->length++;
    return 1;
}

static void erase(struct vector *v, unsigned index, unsigned count) {
    if (index > v->length || index + count > v->length)
        return;
    memmove(&v->data[index], &v->data[index + count], (v->length - (index + count)) * sizeof(void *));
    v->length -= count;
}

static int find(struct vector *v, int (*same)(void *, void *), void *value) {
    for (unsigned i = 0; i <= v->length; i++)
        if (same(v->data[i], value))
            return i;
    return -1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    struct vector v = {malloc(16 * sizeof(void *)), 0, 16};
    if (!v.data)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (__VERIFIER_nondet_uchar() % 2)
            insert(&v, __VERIFIER_nondet_uint() % 200000, pick());
        else
            erase(&v, __VERIFIER_nondet_uint() % 200000, 1);
    }
    find(&v, equal, pick());
    free(v.data);
    return 0;
}
