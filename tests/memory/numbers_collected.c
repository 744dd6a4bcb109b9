//~ options: --property memsafety
// The last place is written when there is none: the vector grows one too late.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *items;
    size_t used, room;
};

static int add(struct vector *v, int item) {
    if (v->used > v->room) {
        size_t room = v->room ? 2 * v->room : 8;
        int *items = realloc(v->items, room * sizeof *items);
        if (!items)
            return -1;
        v->items = items;
        v->room = room;
    }
    v->items[v->used++] = item; //~ false(valid-deref)
    return 0;
}

int main(void) {
    struct vector v = {0};
    int number, sum = 0;
    while (scanf("%d", &number) == 1)
        if (add(&v, number))
            break;
    for (size_t i = 0; i < v.used; i++)
        sum ^= v.items[i];
    free(v.items);
    return sum;
}
