//~ all: true
#include <assert.h>
#include <stdlib.h>

static void push(int ***list, int *count, int *item) {
    *list = realloc(*list, (*count + 1) * sizeof **list);
    (*list)[(*count)++] = item;
}

int main(void) {
    int a = 1, b = 2, count = 0, **list = NULL;
    push(&list, &count, &a);
    push(&list, &count, &b);
    **list = 5;
    int ***p = &list;
    *(*p)[1] += 10;
    assert(a == 5 && b == 12 && count == 2);
    int **q = list + 1;
    assert(q - list == 1 && q > list && *q[-1] == 5);
    free(list);
    return 0;
}
