/* C17 7.4.2.2, C locale. Any argument: glibc gives the values of a signed char as unsigned ones, and what is in no table as it is. */
#include "belay.h"

int toupper(int c)
{
    if (c >= -128 && c < -1)
        return c + 256;
    return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}
