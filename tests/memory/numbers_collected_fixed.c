//~ options: --property memsafety
//~ memsafety: true
// Numbers of the input, as many as there are, in a vector that doubles.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *items;
    size_t used, room;
};

static int add(struct vector *v, int item) {
    if (v->used == v->room) {
        size_t room = v->room ? 2 * v->room : 8;
        int *items = realloc(v->items, room * sizeof *items);
        if (!items)
            return -1;
        v->items = items;
        v->room = room;
    }
    v->items[v->used++] = item;
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
