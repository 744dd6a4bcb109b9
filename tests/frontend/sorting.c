//~ all: true
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *)) {
    char *a = base;
    char temp[16];
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && cmp(a + (j - 1) * size, a + j * size) > 0; j--) {
            __builtin_memcpy(temp, a + j * size, size);
            __builtin_memcpy(a + j * size, a + (j - 1) * size, size);
            __builtin_memcpy(a + (j - 1) * size, temp, size);
        }
}

int main(void) {
    int a[] = {5, 3, 9, 1, 1};
    sort(a, 5, sizeof *a, compare);
    assert(a[0] == 1 && a[1] == 1 && a[2] == 3 && a[4] == 9);
    return 0;
}
