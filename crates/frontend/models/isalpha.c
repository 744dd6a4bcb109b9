/* C17 7.4.1.2, C locale. The argument is EOF, an unsigned char or, as glibc allows, a signed one; the result is glibc's, C promises only "not 0". */
#include "belay.h"

int isalpha(int c)
{
    belay_ctype_argument(c, "isalpha: argument is EOF or an unsigned char");
    return ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) ? 1024 : 0;
}
