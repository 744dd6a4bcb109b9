/* C17 7.22.8.2 in glibc's C locale: ASCII stands for itself, no other character is a byte. s is a wide string as far as it is read; dst is null,
 * or has room for what is written: at most n bytes, the NUL included where it fits. */
#include "belay.h"

size_t wcstombs(char *dst, const wchar_t *s, size_t n)
{
    for (size_t i = 0; dst == NULL || i < n; i++) {
        if (s[i] < 0 || s[i] > 127) {
            errno = EILSEQ;
            return (size_t)-1;
        }
        if (dst != NULL)
            dst[i] = (char)s[i];
        if (s[i] == 0)
            return i;
    }
    return n;
}
