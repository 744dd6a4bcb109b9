/* BSD, POSIX.1-2024: appends so that dst with its NUL stays within n bytes; returns the length it tried to make. src is
 * a string; no overlap. */
#include "belay.h"

size_t strlcat(char *dst, const char *src, size_t n)
{
    size_t length = strlen(src), end = strnlen(dst, n);
    if (end == n)
        return n + length;
    size_t room = n - end - 1, copied = length < room ? length : room;
    __belay_precondition(belay_disjoint(dst, end + copied + 1, src, length + 1), "strlcat: strings do not overlap");
    for (size_t i = 0; i < copied; i++)
        dst[end + i] = src[i];
    dst[end + copied] = '\0';
    return end + length;
}
