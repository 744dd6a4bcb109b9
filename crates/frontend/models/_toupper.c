/* POSIX.1-2001: toupper of a letter of the other case; glibc's function does not look. The argument is EOF or an unsigned char. */
#include "belay.h"

int toupper(int c);

int _toupper(int c)
{
    return toupper(c);
}
