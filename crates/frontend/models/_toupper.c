/* POSIX.1-2001: toupper of a letter of the other case; glibc's function does not look. The argument is EOF, an unsigned char or, as glibc allows, a signed one. */
#include "belay.h"

int toupper(int c);

int _toupper(int c)
{
    return toupper(c);
}
