/* C17 7.29.6.3.2 in glibc's C locale: ASCII stands for itself, no other byte is a character; there is no state. Reads
 * one byte of s if n is not 0 and s is not null; to is null or has room for a wide character. */
#include "belay.h"

size_t mbrtowc(wchar_t *to, const char *s, size_t n, mbstate_t *state)
{
    (void)state;
    if (s == NULL)
        return 0;
    if (n == 0)
        return (size_t)-2;
    if (*s < 0) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    if (to != NULL)
        *to = *s;
    return *s != 0;
}
