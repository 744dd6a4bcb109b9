/* C17 7.29.4.1.1: correctly rounded, with errno and the end as glibc sets them. s is a wide string, read up to the first element that is no
 * part of the number. A nan with a payload is not modelled. */
#define CHAR wchar_t
#define FRACTION 53
#define LEAST (-1022)
#include "float.h"

double wcstod(const wchar_t *s, wchar_t **end)
{
    union { uint64_t bits; double value; } result;
    result.bits = belay_parse_float(s, end);
    return result.value;
}
