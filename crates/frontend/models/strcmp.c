/* C17 7.24.4.2: reads both up to the first difference or NUL. The result is the difference, as glibc's; C promises its
 * sign only, and where a program looks at more, proofs cover any number of that sign. */
#include "belay.h"

int strcmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] != '\0' && a[i] == b[i])
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}
