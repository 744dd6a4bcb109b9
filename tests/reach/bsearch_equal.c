// Which of several equal elements is found is open.
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int a[3] = {1, 1, 2}, key = 1;
    int *found = bsearch(&key, a, 3, sizeof *a, compare);
    assert(found == a + 1); //~ unknown(unreach-call)
    return 0;
}
