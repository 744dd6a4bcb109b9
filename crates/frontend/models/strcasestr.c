/* GNU: strstr without regard to case, C locale. */
#include "belay.h"

char *strcasestr(const char *haystack, const char *needle)
{
    for (size_t i = 0;; i++) {
        size_t k = 0;
        while (needle[k] != '\0' &&
               belay_lower((unsigned char)haystack[i + k]) == belay_lower((unsigned char)needle[k]))
            k++;
        if (needle[k] == '\0')
            return (char *)haystack + i;
        if (haystack[i + k] == '\0')
            return NULL;
    }
}
