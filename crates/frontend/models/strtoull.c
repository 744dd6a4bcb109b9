/* C17 7.22.1.4: exact, with errno and the end as glibc sets them. s is a string, read up to the first element that is
 * no part of the number. */
#define CHAR char
#include "integer.h"

unsigned long long strtoull(const char *s, char **end, int base)
{
    return belay_unsigned(s, end, base, ULLONG_MAX);
}
