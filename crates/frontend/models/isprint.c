/* C17 7.4.1.8, C locale. The argument is EOF, an unsigned char or, as glibc allows, a signed one; the result is glibc's, C promises only "not 0". */
#include "belay.h"

int isprint(int c)
{
    belay_ctype_argument(c, "isprint: argument is EOF or an unsigned char");
    return c >= ' ' && c <= '~' ? 16384 : 0;
}
