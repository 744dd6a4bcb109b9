//~ no-overflow: true
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int a[4] = {-2000000000, 0, 2000000000, 2000000001};
    qsort(a, 4, sizeof *a, compare);
    return 0;
}
