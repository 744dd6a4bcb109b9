// As search_then_compare_fixed.c, but an index that is behind all elements is looked at as well: the search goes on to the right of the last.
//~ memsafety: false(valid-deref)
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct sorted {
    void **data;
    unsigned length, capacity;
    int (*order)(void *, void *);
};

static int values[16];

static int *pick(void) { return &values[__VERIFIER_nondet_uchar() % 16]; }

static int compare(void *a, void *b) {
    int x = *(int *)a, y = *(int *)b;
    return x < y ? -1 : x > y;
}

static int insert(struct sorted *s, void *value) {
    unsigned left = 0, right = s->length > 1 ? s->length : 0, index = 0;
    while (left != right) {
        index = (left + right) / 2;
        int order = s->order(value, s->data[index]);
        if (order < 0)
            right = index;
        else if (order > 0)
            left = index + 1;
        else
            break;
    }
    if (s->order(value, s->data[index]) > 0)
        index++;
    if (s->length + 1 > s->capacity) {
        void **more = realloc(s->data, sizeof(void *) * s->capacity * 2);
        if (!more)
            return 0;
        s->data = more;
        s->capacity *= 2;
    }
    memmove(&s->data[index + 1], &s->data[index], (s->length - index) * sizeof(void *));
    s->data[index] = value;
    s->length++;
    return 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    struct sorted s = {malloc(8 * sizeof(void *)), 0, 8, compare};
    if (!s.data)
        return 0;
    for (unsigned i = 0; i < n; i++)
        insert(&s, pick());
    free(s.data);
    return 0;
}
