/* C17 7.4.1.10, C locale. The argument is EOF, an unsigned char or, as glibc allows, a signed one; the result is glibc's, C promises only "not 0". */
#include "belay.h"

int isspace(int c)
{
    belay_ctype_argument(c, "isspace: argument is EOF or an unsigned char");
    return (c == ' ' || (c >= '\t' && c <= '\r')) ? 8192 : 0;
}
