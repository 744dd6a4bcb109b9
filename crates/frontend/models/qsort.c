/* C17 7.22.5.2: insertion sort, stable and in place. base has count elements of `size` bytes; compare orders them. Which order
 * equal elements come in, C leaves open; this keeps it, as glibc's merge sort does. */
#include "belay.h"

static void swap_bytes(char *a, char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *elements = base;
    if (count == 0 || size == 0)
        return;
    __belay_precondition(count <= SIZE_MAX / size && belay_region(base, count * size),
                         "qsort: array has count elements");
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0; k--) {
            char *right = elements + k * size, *left = right - size;
            if (compare(left, right) <= 0)
                break;
            swap_bytes(left, right, size);
        }
}
