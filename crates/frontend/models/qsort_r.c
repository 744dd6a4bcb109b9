/* GNU, POSIX.1-2024: qsort whose comparison takes an argument of the caller's. Preconditions of qsort. */
#define SORT_PARAMETERS int (*compare)(const void *, const void *, void *), void *context
#define SORT_ARGUMENTS compare, context
#define ORDER(a, b) compare(a, b, context)

#include "sort.h"

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context)
{
    if (count == 0)
        return;
    __belay_precondition(size == 0 || (count <= SIZE_MAX / size && belay_region(base, count * size)),
                         "qsort_r: array has count elements");
    sort(base, count, size, compare, context);
}
