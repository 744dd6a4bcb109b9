/* GNU: strchr that returns the place of the NUL if c does not occur. */
#include "belay.h"

char *strchrnul(const char *s, int c)
{
    size_t i = 0;
    while (s[i] != '\0' && s[i] != (char)c)
        i++;
    return (char *)s + i;
}
