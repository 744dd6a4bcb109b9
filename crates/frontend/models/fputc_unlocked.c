/* glibc: fputc by another name. */
#include "belay.h"

int fputc_unlocked(int c, FILE *stream)
{
    return fputc(c, stream);
}
