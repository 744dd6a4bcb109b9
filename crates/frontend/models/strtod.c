/* C17 7.22.1.3: correctly rounded, with errno and the end as glibc sets them. s is a string, read up to the first byte that is no part
 * of the number. A nan with a payload is not modelled. */
#define CHAR char
#define FRACTION 53
#define LEAST (-1022)
#include "float.h"

double strtod(const char *s, char **end)
{
    union { uint64_t bits; double value; } result;
    result.bits = belay_parse_float(s, end);
    return result.value;
}
