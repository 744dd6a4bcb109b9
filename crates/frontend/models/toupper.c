/* C17 7.4.2.2, C locale. The argument is EOF or an unsigned char. */
#include "belay.h"

int toupper(int c)
{
    belay_ctype_argument(c, "toupper: argument is EOF or an unsigned char");
    return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}
