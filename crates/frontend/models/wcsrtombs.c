/* C17 7.29.6.4.2 in glibc's C locale: ASCII stands for itself, nothing else is a character. *from is a wide string as far as it is read; dst is null, or has
 * room for what is written: at most n elements, the NUL included where it fits. */
#include "belay.h"

size_t wcsrtombs(char *dst, const wchar_t **from, size_t n, mbstate_t *state)
{
    return wcsnrtombs(dst, from, SIZE_MAX, n, state);
}
