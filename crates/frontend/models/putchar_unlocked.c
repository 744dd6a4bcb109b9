/* POSIX: putchar. */
#include "belay.h"

int putchar_unlocked(int c)
{
    return fputc(c, stdout);
}
