/* POSIX, C23: a copy of at most n bytes with a NUL, or NULL with ENOMEM. s is read up to its NUL or n bytes. */
#include "belay.h"

char *strndup(const char *s, size_t n)
{
    size_t length = strnlen(s, n);
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    for (size_t i = 0; i < length; i++)
        copy[i] = s[i];
    copy[length] = '\0';
    return copy;
}
