/* C17 7.4.2.2, C locale. Any argument: glibc looks up what its table holds and returns the rest as it is. */
#include "belay.h"

int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}
