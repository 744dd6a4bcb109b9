/* C17 7.4.2.1, C locale. Any argument: glibc looks up what its table holds and returns the rest as it is. */
#include "belay.h"

int tolower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}
