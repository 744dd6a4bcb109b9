//~ memsafety: true
//~ unreach-call: true
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

int main(void) {
    int a[3] = {3, 1, 2};
    qsort(a, 3, sizeof *a, compare);
    assert(a[0] == 1);
    return 0;
}
