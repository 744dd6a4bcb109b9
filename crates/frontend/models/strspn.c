/* C17 7.24.5.6. Both are strings; s is read up to the first byte outside accept. */
#include "belay.h"

size_t strspn(const char *s, const char *accept)
{
    size_t i = 0;
    while (s[i] != '\0') {
        size_t k = 0;
        while (accept[k] != '\0' && accept[k] != s[i])
            k++;
        if (accept[k] == '\0')
            return i;
        i++;
    }
    return i;
}
