/* POSIX.1-2001 in glibc's C locale: 0 for NUL, 1 for what ASCII prints, -1 otherwise. */
#include "belay.h"

int wcwidth(wchar_t c)
{
    return c == 0 ? 0 : c >= ' ' && c <= '~' ? 1 : -1;
}
