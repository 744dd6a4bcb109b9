/* C17 7.22.1.3: correctly rounded, with errno and the end as glibc sets them. s is a string, read up to the first byte that is no part
 * of the number. A nan with a payload is not modelled. */
#define CHAR char
#define FRACTION 24
#define LEAST (-126)
#include "float.h"

float strtof(const char *s, char **end)
{
    union { uint32_t bits; float value; } result;
    result.bits = (uint32_t)belay_parse_float(s, end);
    return result.value;
}
