/* C17 7.29.6.1.2 in glibc's C locale: ASCII stands for itself, no other character is one byte. */
#include "belay.h"

int wctob(wint_t c)
{
    return c <= 127 ? (int)c : EOF;
}
