/* C17 7.29.4.1.1: correctly rounded, with errno and the end as glibc sets them. s is a wide string, read up to the first element that is no
 * part of the number. A nan with a payload is not modelled. */
#define CHAR wchar_t
#define FRACTION 24
#define LEAST (-126)
#include "float.h"

float wcstof(const wchar_t *s, wchar_t **end)
{
    union { uint32_t bits; float value; } result;
    result.bits = (uint32_t)belay_parse_float(s, end);
    return result.value;
}
