/* C17 7.4.1.7, C locale. The argument is EOF, an unsigned char or, as glibc allows, a signed one; the result is glibc's, C promises only "not 0". */
#include "belay.h"

int islower(int c)
{
    belay_ctype_argument(c, "islower: argument is EOF or an unsigned char");
    return c >= 'a' && c <= 'z' ? 512 : 0;
}
