/* C17 7.29.6.1.1 in glibc's C locale: ASCII stands for itself, no other byte is a character. */
#include "belay.h"

wint_t btowc(int c)
{
    return c >= 0 && c <= 127 ? (wint_t)c : WEOF;
}
