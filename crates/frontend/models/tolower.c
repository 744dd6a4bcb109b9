/* C17 7.4.2.1, C locale. Any argument: glibc gives the values of a signed char as unsigned ones, and what is in no table as it is. */
#include "belay.h"

int tolower(int c)
{
    if (c >= -128 && c < -1)
        return c + 256;
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}
