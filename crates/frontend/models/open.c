/* POSIX: a descriptor, or -1 with errno set. path is a string. */
#include "belay.h"

int open(const char *path, int flags, ...)
{
    belay_forget_terminals();
    strlen(path);
    (void)flags;
    return belay_descriptor();
}
