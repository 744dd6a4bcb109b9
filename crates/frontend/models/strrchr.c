/* C17 7.24.5.5: the last c of the string, its NUL included. */
#include "belay.h"

char *strrchr(const char *s, int c)
{
    const char *last = NULL;
    for (size_t i = 0;; i++) {
        if (s[i] == (char)c)
            last = s + i;
        if (s[i] == '\0')
            return (char *)last;
    }
}
