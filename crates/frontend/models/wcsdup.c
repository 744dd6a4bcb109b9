/* POSIX: a copy on the heap, or NULL with ENOMEM. s is a wide string. */
#include "belay.h"

wchar_t *wcsdup(const wchar_t *s)
{
    size_t n = wcslen(s) + 1;
    wchar_t *copy = malloc(n * sizeof *s);
    if (copy == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        copy[i] = s[i];
    return copy;
}
