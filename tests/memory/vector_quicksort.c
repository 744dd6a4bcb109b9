// As vector_quicksort_fixed.c, but the second part is taken to be as long as without its pivot in between: it goes one too far.
//~ memsafety: false(valid-deref)
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct vector {
    void **data;
    unsigned length, capacity;
};

static int values[16];

static int *pick(void) { return &values[__VERIFIER_nondet_uchar() % 16]; }

static int compare(void *a, void *b) {
    int x = *(int *)a, y = *(int *)b;
    return x < y ? -1 : x > y;
}

static int append(struct vector *v, void *value) {
    if (v->length + 1 > v->capacity) {
        void **more = realloc(v->data, sizeof(void *) * v->capacity * 2);
        if (!more)
            return 0;
        v->data = more;
        v->capacity *= 2;
    }
    v->data[v->length++] = value;
    return 1;
}

static void sort(void **data, unsigned length, int (*order)(void *, void *)) {
    if (length <= 1)
        return;
    void *pivot = data[length - 1];
    unsigned less = 0;
    for (unsigned i = 0; i < length - 1; i++)
        if (order(data[i], pivot) < 0) {
            void *kept = data[i];
            data[i] = data[less];
            data[less] = kept;
            less++;
        }
    data[length - 1] = data[less];
    data[less] = pivot;
    sort(data, less, order);
    sort(&data[less + 1], length - less, order);
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    for (int i = 0; i < 16; i++)
        values[i] = __VERIFIER_nondet_uchar();
    struct vector v = {malloc(4 * sizeof(void *)), 0, 4};
    if (!v.data)
        return 0;
    for (unsigned i = 0; i < n; i++)
        append(&v, pick());
    sort(v.data, v.length, compare);
    free(v.data);
    return 0;
}
