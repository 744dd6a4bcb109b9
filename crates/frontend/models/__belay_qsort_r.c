/* qsort_r with a comparison that changes nothing, as __belay_qsort. */
#define SORT_PARAMETERS int (*compare)(const void *, const void *, void *), void *context
#define SORT_ARGUMENTS compare, context
#define ORDER(a, b) compare(a, b, context)
#define PURE
#include "sort.h"

void __belay_qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context)
{
    if (count == 0)
        return;
    __belay_precondition(size == 0 || (count <= SIZE_MAX / size && belay_region(base, count * size)),
                         "qsort_r: array has count elements");
    sort(base, count, size, compare, context);
}
