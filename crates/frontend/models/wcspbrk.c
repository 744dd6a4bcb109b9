/* C17 7.29.4.5.3. Both are wide strings; s is read up to the first element of accept. */
#include "belay.h"

size_t wcscspn(const wchar_t *s, const wchar_t *reject);

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *accept)
{
    size_t i = wcscspn(s, accept);
    return s[i] == 0 ? NULL : (wchar_t *)s + i;
}
