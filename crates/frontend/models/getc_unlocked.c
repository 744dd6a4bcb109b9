/* glibc: fgetc by another name. */
#include "belay.h"

int getc_unlocked(FILE *stream)
{
    return fgetc(stream);
}
