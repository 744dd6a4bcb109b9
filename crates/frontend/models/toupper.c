/* C17 7.4.2.2, C locale. The argument is EOF or an unsigned char; glibc also takes the values of a signed char, and gives them as
 * unsigned ones. */
#include "belay.h"

int toupper(int c)
{
    belay_ctype_argument(c, "toupper: argument is EOF or an unsigned char");
    if (c < -1)
        return c + 256;
    return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}
