/* POSIX.1-2001: tolower of a letter of the other case; glibc's function does not look. The argument is EOF, an unsigned char or, as glibc allows, a signed one. */
#include "belay.h"

int tolower(int c);

int _tolower(int c)
{
    return tolower(c);
}
