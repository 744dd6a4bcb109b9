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
    __belay_precondition(size == 0 || (count <= SIZE_MAX / size && belay_region(base, count * size)),
                         "qsort: array has count elements");
    sort(base, count, size, compare);
}
