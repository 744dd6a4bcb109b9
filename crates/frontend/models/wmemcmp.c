/* C17 7.29.4.4.5. Both regions have n elements, even where a difference comes earlier (7.1.4p1). */
#include "belay.h"

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    __belay_precondition(n <= SIZE_MAX / sizeof *a && belay_region(a, n * sizeof *a),
                         "wmemcmp: first region has n elements");
    __belay_precondition(belay_region(b, n * sizeof *b), "wmemcmp: second region has n elements");
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}
