/* glibc: fgetc by another name. */
#include "belay.h"

int fgetc_unlocked(FILE *stream)
{
    return fgetc(stream);
}
