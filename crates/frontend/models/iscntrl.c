/* C17 7.4.1.4, C locale. The argument is EOF, an unsigned char or, as glibc allows, a signed one; the result is glibc's, C promises only "not 0". */
#include "belay.h"

int iscntrl(int c)
{
    belay_ctype_argument(c, "iscntrl: argument is EOF or an unsigned char");
    return ((c >= 0 && c < ' ') || c == 127) ? 2 : 0;
}
