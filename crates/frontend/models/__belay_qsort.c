/* qsort with a comparison that changes nothing: proofs cover every sorted order, and ask that the comparison is consistent. */
#define SORT_PARAMETERS int (*compare)(const void *, const void *)
#define SORT_ARGUMENTS compare
#define ORDER(a, b) compare(a, b)
#define PURE
#include "sort.h"

void __belay_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count == 0)
        return;
    if (size == 0)
        __belay_unsupported("qsort: elements without a size");
    __belay_precondition(count <= SIZE_MAX / size && belay_region(base, count * size),
                         "qsort: array has count elements");
    sort(base, count, size, compare);
}
