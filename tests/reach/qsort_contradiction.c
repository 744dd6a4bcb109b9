//~ memsafety: unknown
// A comparison that contradicts itself is undefined in C: that it does not is part of memory safety, which everything else assumes.
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return *(const int *)a > *(const int *)b;
}

int main(void) {
    int a[3] = {3, 1, 2};
    qsort(a, 3, sizeof *a, compare);
    return 0;
}
