/* C17 7.21.7.7: fputc. */
#include "belay.h"

int putc(int c, FILE *stream)
{
    return fputc(c, stream);
}
