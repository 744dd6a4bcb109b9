/* C17 7.30.2.1 in glibc's C locale: no character outside ASCII belongs to a class. Any argument. */
#include "belay.h"

int iswxdigit(wint_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}
