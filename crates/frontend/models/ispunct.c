/* C17 7.4.1.9, C locale. The argument is EOF, an unsigned char or, as glibc allows, a signed one; the result is glibc's, C promises only "not 0". */
#include "belay.h"

int ispunct(int c)
{
    belay_ctype_argument(c, "ispunct: argument is EOF or an unsigned char");
    return ((c > ' ' && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127)) ? 4 : 0;
}
