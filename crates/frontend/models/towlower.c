/* C17 7.30.3.1 in glibc's C locale: only ASCII letters have a case. Any argument. */
#include "belay.h"

wint_t towlower(wint_t c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}
