/* POSIX: ftell as off_t, which is long. */
#include "belay.h"

off_t ftello(FILE *stream)
{
    return ftell(stream);
}
