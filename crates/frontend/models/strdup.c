/* POSIX, C23: a copy on the heap, or NULL with ENOMEM. s is a string. */
#include "belay.h"

char *strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = malloc(n);
    if (copy == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        copy[i] = s[i];
    return copy;
}
