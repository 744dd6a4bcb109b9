/* POSIX.1-2001: any argument. */
#include "belay.h"

int toascii(int c)
{
    return c & 0x7f;
}
