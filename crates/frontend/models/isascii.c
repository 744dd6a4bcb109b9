/* POSIX.1-2001: any argument. */
#include "belay.h"

int isascii(int c)
{
    return (c & ~0x7f) == 0;
}
