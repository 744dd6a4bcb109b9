// How often the comparison is called is the library's choice.
#include <assert.h>
#include <stdlib.h>

static int calls;

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    calls++;
    return (x > y) - (x < y);
}

int main(void) {
    int a[4] = {1, 2, 3, 4};
    qsort(a, 4, sizeof *a, compare);
    assert(calls == 3); //~ false(unreach-call)
    return 0;
}
