//~ unreach-call: true
#include <assert.h>
#include <stdlib.h>

struct pair {
    int key, value;
};

static int compare(const void *a, const void *b) {
    int x = ((const struct pair *)a)->key, y = ((const struct pair *)b)->key;
    return (x > y) - (x < y);
}

int main(void) {
    struct pair a[2] = {{1, 1}, {1, 2}};
    qsort(a, 2, sizeof *a, compare);
    assert(a[0].key == 1 && a[0].value + a[1].value == 3);
    return 0;
}
