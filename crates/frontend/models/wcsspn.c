/* C17 7.29.4.5.5. Both are wide strings; s is read up to the first element outside accept. */
#include "belay.h"

size_t wcsspn(const wchar_t *s, const wchar_t *accept)
{
    size_t i = 0;
    while (s[i] != 0) {
        size_t k = 0;
        while (accept[k] != 0 && accept[k] != s[i])
            k++;
        if (accept[k] == 0)
            return i;
        i++;
    }
    return i;
}
