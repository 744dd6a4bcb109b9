/* POSIX: a descriptor, or -1 with errno set. path is a string. */
#include "belay.h"

int creat(const char *path, mode_t mode)
{
    belay_forget_terminals();
    strlen(path);
    (void)mode;
    return belay_descriptor();
}
