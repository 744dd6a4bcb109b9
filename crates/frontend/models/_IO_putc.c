/* glibc: fputc by another name. */
#include "belay.h"

int _IO_putc(int c, FILE *stream)
{
    return fputc(c, stream);
}
