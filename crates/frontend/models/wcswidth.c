/* POSIX.1-2001 in glibc's C locale: the number of elements before the NUL, at most n, or -1 if one of them does not print. s is a wide string
 * as far as it is read. */
#include "belay.h"

int wcwidth(wchar_t c);

int wcswidth(const wchar_t *s, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n && s[i] != 0; i++) {
        if (wcwidth(s[i]) < 0)
            return -1;
        width++;
    }
    return width;
}
