/* C17 7.29.4.5.6. Both are wide strings; the haystack is read up to the end of the match. */
#include "belay.h"

wchar_t *wcsstr(const wchar_t *haystack, const wchar_t *needle)
{
    for (size_t i = 0;; i++) {
        size_t k = 0;
        while (needle[k] != 0 && haystack[i + k] == needle[k])
            k++;
        if (needle[k] == 0)
            return (wchar_t *)haystack + i;
        if (haystack[i + k] == 0)
            return NULL;
    }
}
