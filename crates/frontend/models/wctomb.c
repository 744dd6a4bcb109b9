/* C17 7.22.7.3 in glibc's C locale: ASCII stands for itself, no other character is a byte; there is no state. s is null or has room for a byte. */
#include "belay.h"

int wctomb(char *s, wchar_t c)
{
    if (s == NULL)
        return 0;
    if (c < 0 || c > 127) {
        errno = EILSEQ;
        return -1;
    }
    *s = (char)c;
    return 1;
}
