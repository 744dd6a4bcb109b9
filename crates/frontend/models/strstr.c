/* C17 7.24.5.7. Both are strings; the haystack is read up to the end of the match. */
#include "belay.h"

char *strstr(const char *haystack, const char *needle)
{
    for (size_t i = 0;; i++) {
        size_t k = 0;
        while (needle[k] != '\0' && haystack[i + k] == needle[k])
            k++;
        if (needle[k] == '\0')
            return (char *)haystack + i;
        if (haystack[i + k] == '\0')
            return NULL;
    }
}
