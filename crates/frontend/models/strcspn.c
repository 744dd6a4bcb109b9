/* C17 7.24.5.3. Both are strings; s is read up to the first byte of reject. */
#include "belay.h"

size_t strcspn(const char *s, const char *reject)
{
    size_t i = 0;
    while (s[i] != '\0') {
        size_t k = 0;
        while (reject[k] != '\0' && reject[k] != s[i])
            k++;
        if (reject[k] != '\0')
            return i;
        i++;
    }
    return i;
}
