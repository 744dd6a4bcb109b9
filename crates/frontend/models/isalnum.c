/* C17 7.4.1.1, C locale. The argument is EOF, an unsigned char or, as glibc allows, a signed one; the result is glibc's, C promises only "not 0". */
#include "belay.h"

int isalnum(int c)
{
    belay_ctype_argument(c, "isalnum: argument is EOF or an unsigned char");
    return ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) ? 8 : 0;
}
