/* POSIX: fseek by off_t, which is long. */
#include "belay.h"

int fseeko(FILE *stream, off_t offset, int whence)
{
    return fseek(stream, offset, whence);
}
