/* C17 7.22.7.2 in glibc's C locale: ASCII stands for itself, no other byte is a character; there is no state. Reads one byte of s if n is
 * not 0 and s is not null. */
#include "belay.h"

int mbtowc(wchar_t *to, const char *s, size_t n)
{
    if (s == NULL)
        return 0;
    if (n == 0)
        return -1;
    if (*s < 0) {
        errno = EILSEQ;
        return -1;
    }
    if (to != NULL)
        *to = *s;
    return *s != 0;
}
