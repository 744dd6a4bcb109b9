/* glibc: fgetc by another name. */
#include "belay.h"

int _IO_getc(FILE *stream)
{
    return fgetc(stream);
}
