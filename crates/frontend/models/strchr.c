/* C17 7.24.5.2: reads up to the first c or the NUL, which counts as a character of the string. */
#include "belay.h"

char *strchr(const char *s, int c)
{
    size_t i = 0;
    while (s[i] != (char)c) {
        if (s[i] == '\0')
            return NULL;
        i++;
    }
    return (char *)s + i;
}
