/* C17 7.29.6.3.3 in glibc's C locale: ASCII stands for itself, no other character is a byte; there is no state. s is null or has room for a
 * byte. */
#include "belay.h"

size_t wcrtomb(char *s, wchar_t c, mbstate_t *state)
{
    (void)state;
    if (s == NULL)
        return 1;
    if (c < 0 || c > 127) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    *s = (char)c;
    return 1;
}
