/* C17 7.29.6.4.1 in glibc's C locale: ASCII stands for itself, nothing else is a character. *from is a string as far as it is read; dst is null, or has
 * room for what is written: at most n elements, the NUL included where it fits. */
#include "belay.h"

size_t mbsrtowcs(wchar_t *dst, const char **from, size_t n, mbstate_t *state)
{
    return mbsnrtowcs(dst, from, SIZE_MAX, n, state);
}
