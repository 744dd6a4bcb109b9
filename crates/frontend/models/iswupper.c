/* C17 7.30.2.1 in glibc's C locale: no character outside ASCII belongs to a class. Any argument. */
#include "belay.h"

int iswupper(wint_t c)
{
    return c >= 'A' && c <= 'Z';
}
