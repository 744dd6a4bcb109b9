/* GNU: the first occurrence of a region in another. Both have the bytes that their sizes say. */
#include "belay.h"

void *memmem(const void *haystack, size_t n, const void *needle, size_t m)
{
    const unsigned char *h = haystack, *e = needle;
    __belay_precondition(belay_region(haystack, n), "memmem: haystack has n bytes");
    __belay_precondition(belay_region(needle, m), "memmem: needle has m bytes");
    if (m > n)
        return NULL;
    for (size_t i = 0; i <= n - m; i++) {
        size_t k = 0;
        while (k < m && h[i + k] == e[k])
            k++;
        if (k == m)
            return (void *)(h + i);
    }
    return NULL;
}
