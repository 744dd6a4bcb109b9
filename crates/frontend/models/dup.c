/* POSIX: a descriptor, or -1 with errno set. */
#include "belay.h"

int dup(int fd)
{
    belay_forget_terminals();
    (void)fd;
    return belay_descriptor();
}
