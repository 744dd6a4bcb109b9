/* C17 7.22.5.1: binary search, halving as glibc does. base has count elements of `size` bytes. Which of several equal
 * elements is found, C leaves open. */
#include "belay.h"

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    const char *elements = base;
    __belay_precondition(count == 0 || size == 0 || (count <= SIZE_MAX / size && belay_region(base, count * size)),
                         "bsearch: array has count elements");
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = elements + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
