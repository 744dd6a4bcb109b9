/* GNU: strcmp in which runs of digits are compared as numbers, and those with leading zeros as fractions, which come first. Both are
 * strings, read up to where they differ and to the end of the digits there. */
#include "belay.h"

static int digit(char c)
{
    return c >= '0' && c <= '9';
}

int strverscmp(const char *a, const char *b)
{
    size_t i = 0, start = 0;
    _Bool zeros = 1; /* the digits from start to i are zeros only */
    for (; a[i] == b[i]; i++) {
        if (a[i] == 0)
            return 0;
        if (!digit(a[i])) {
            start = i + 1;
            zeros = 1;
        } else if (a[i] != '0') {
            zeros = 0;
        }
    }
    if (digit(a[start]) && a[start] != '0' && digit(b[start]) && b[start] != '0') {
        size_t j = i;
        for (; digit(a[j]); j++)
            if (!digit(b[j]))
                return 1;
        if (digit(b[j]))
            return -1;
    } else if (zeros && start < i && (digit(a[i]) || digit(b[i]))) {
        return (unsigned char)(a[i] - '0') - (unsigned char)(b[i] - '0');
    }
    return (unsigned char)a[i] - (unsigned char)b[i];
}
