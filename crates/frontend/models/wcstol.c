/* C17 7.29.4.1.2: exact, with errno and the end as glibc sets them. s is a wide string, read up to the first element that is
 * no part of the number. */
#define CHAR wchar_t
#include "integer.h"

long wcstol(const wchar_t *s, wchar_t **end, int base)
{
    return (long)belay_signed(s, end, base, LONG_MAX);
}
