/* C17 7.21.7.8: fputc to stdout. */
#include "belay.h"

int putchar(int c)
{
    return fputc(c, stdout);
}
