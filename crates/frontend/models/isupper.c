/* C17 7.4.1.11, C locale. The argument is EOF, an unsigned char or, as glibc allows, a signed one; the result is glibc's, C promises only "not 0". */
#include "belay.h"

int isupper(int c)
{
    belay_ctype_argument(c, "isupper: argument is EOF or an unsigned char");
    return c >= 'A' && c <= 'Z' ? 256 : 0;
}
