/* C17 7.22.5.2: sorts in place. base has count elements of `size` bytes; compare orders them. Proofs cover every choice of the elements that
 * are compared and of their order, and know nothing of the result if the comparison may change memory; runs are those of a merge sort. */
#define SORT_PARAMETERS int (*compare)(const void *, const void *)
#define SORT_ARGUMENTS compare
#define ORDER(a, b) compare(a, b)

#include "sort.h"

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count == 0)
        return;
    __belay_precondition(size == 0 || (count <= SIZE_MAX / size && belay_region(base, count * size)),
                         "qsort: array has count elements");
    sort(base, count, size, compare);
}
