/* C17 7.4.2.1, C locale. The argument is EOF or an unsigned char; glibc also takes the values of a signed char, and gives them as
 * unsigned ones. */
#include "belay.h"

int tolower(int c)
{
    belay_ctype_argument(c, "tolower: argument is EOF or an unsigned char");
    if (c < -1)
        return c + 256;
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}
