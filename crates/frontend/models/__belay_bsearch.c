/* bsearch with a comparison that changes nothing: proofs cover any of several equal elements, and ask that elements less than the key, equal and
 * greater come in that order, as C17 7.22.5.1 requires. The sign of the comparison is then a function of the element. */
#include "belay.h"

void *__belay_bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    const char *elements = base;
    __belay_precondition(count == 0 || size == 0 || (count <= SIZE_MAX / size && belay_region(base, count * size)),
                         "bsearch: array has count elements");
    if (count > 0 && belay_otherwise("which of equal elements bsearch finds is open")) {
        size_t i = belay_size_at_most(count - 1), j = belay_size_at_most(count - 1);
        int first = compare(key, elements + i * size), second = compare(key, elements + j * size);
        __belay_precondition(i > j || ((first > 0 || second <= 0) && (first >= 0 || second < 0)), "bsearch: array is sorted");
        __VERIFIER_assume(first == 0);
        return (void *)(elements + i * size);
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
