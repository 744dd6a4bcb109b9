/* glibc: open. path is a string. */
#include "belay.h"

int open64(const char *path, int flags, ...)
{
    strlen(path);
    (void)flags;
    return belay_descriptor();
}
