/* C17 7.22.5.1: binary search. base has count elements of `size` bytes. Runs halve as glibc does; proofs cover every choice of the elements that are compared, and
 * know nothing of the result if the comparison may change memory. */
#include "belay.h"

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    const char *elements = base;
    __belay_precondition(count == 0 || size == 0 || (count <= SIZE_MAX / size && belay_region(base, count * size)),
                         "bsearch: array has count elements");
    if (count > 0 && belay_otherwise("which elements bsearch compares is open")) {
        for (size_t left = __VERIFIER_nondet_ulong(); left > 0; left--)
            (void)compare(key, elements + belay_size_at_most(count - 1) * size);
        return __VERIFIER_nondet_bool() ? NULL : (void *)(elements + belay_size_at_most(count - 1) * size);
    }
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
