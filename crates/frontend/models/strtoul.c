/* C17 7.22.1.4: exact, with errno and the end as glibc sets them. s is a string, read up to the first element that is
 * no part of the number. */
#define CHAR char
#include "integer.h"

unsigned long strtoul(const char *s, char **end, int base)
{
    return (unsigned long)belay_unsigned(s, end, base, ULONG_MAX);
}
