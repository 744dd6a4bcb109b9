// Which elements qsort compares is the library's choice: also the first with the third.
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b; //~ false(no-overflow)
}

int main(void) {
    int a[4] = {-2000000000, 0, 2000000000, 2000000001};
    qsort(a, 4, sizeof *a, compare);
    return 0;
}
