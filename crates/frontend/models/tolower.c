/* C17 7.4.2.1, C locale. The argument is EOF or an unsigned char. */
#include "belay.h"

int tolower(int c)
{
    belay_ctype_argument(c, "tolower: argument is EOF or an unsigned char");
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}
