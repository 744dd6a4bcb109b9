/* C17 7.29.4.5.2. Both are wide strings; s is read up to the first element of reject. */
#include "belay.h"

size_t wcscspn(const wchar_t *s, const wchar_t *reject)
{
    size_t i = 0;
    while (s[i] != 0) {
        size_t k = 0;
        while (reject[k] != 0 && reject[k] != s[i])
            k++;
        if (reject[k] != 0)
            return i;
        i++;
    }
    return i;
}
