/* C17 7.29.4.4.2 in the C locale: wcscmp. */
#include "belay.h"

int wcscoll(const wchar_t *a, const wchar_t *b)
{
    return wcscmp(a, b);
}
