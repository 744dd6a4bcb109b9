/* C17 7.22.8.1 in glibc's C locale: ASCII stands for itself, no other byte is a character. s is a string as far as it is read; dst is null, or
 * has room for what is written: at most n elements, the NUL included where it fits. */
#include "belay.h"

size_t mbstowcs(wchar_t *dst, const char *s, size_t n)
{
    for (size_t i = 0; dst == NULL || i < n; i++) {
        if (s[i] < 0) {
            errno = EILSEQ;
            return (size_t)-1;
        }
        if (dst != NULL)
            dst[i] = s[i];
        if (s[i] == 0)
            return i;
    }
    return n;
}
