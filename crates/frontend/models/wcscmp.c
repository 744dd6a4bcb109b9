/* C17 7.29.4.4.1: reads both up to the first difference or NUL. */
#include "belay.h"

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return (a[i] > b[i]) - (a[i] < b[i]);
}
