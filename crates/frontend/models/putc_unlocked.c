/* glibc: fputc by another name. */
#include "belay.h"

int putc_unlocked(int c, FILE *stream)
{
    return fputc(c, stream);
}
