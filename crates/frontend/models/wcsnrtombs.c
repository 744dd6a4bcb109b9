/* POSIX.1-2008 in glibc's C locale: ASCII stands for itself, nothing else is a character. *from is a wide string as far as it is read, which is at most
 * `most` elements; dst is null, or has room for what is written: at most n elements, the NUL included where it fits. */
#include "belay.h"

size_t wcsnrtombs(char *dst, const wchar_t **from, size_t most, size_t n, mbstate_t *state)
{
    (void)state;
    const wchar_t *s = *from;
    size_t i;
    for (i = 0; i < most && (dst == NULL || i < n); i++) {
        if (s[i] < 0 || s[i] > 127) {
            if (dst != NULL)
                *from = s + i;
            errno = EILSEQ;
            return (size_t)-1;
        }
        if (dst != NULL)
            dst[i] = (char)s[i];
        if (s[i] == 0) {
            if (dst != NULL)
                *from = NULL;
            return i;
        }
    }
    if (dst != NULL)
        *from = s + i;
    return i;
}
