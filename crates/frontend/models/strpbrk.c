/* C17 7.24.5.4. Both are strings; s is read up to the first byte of accept. */
#include "belay.h"

char *strpbrk(const char *s, const char *accept)
{
    size_t i = strcspn(s, accept);
    return s[i] == '\0' ? NULL : (char *)s + i;
}
