/* C17 7.22.7.1 in glibc's C locale: mbtowc without a target. */
#include "belay.h"

int mbtowc(wchar_t *to, const char *s, size_t n);

int mblen(const char *s, size_t n)
{
    return mbtowc(NULL, s, n);
}
