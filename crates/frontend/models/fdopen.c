/* POSIX: a stream on a descriptor, or NULL. mode is a string. */
#include "belay.h"

FILE *fdopen(int fd, const char *mode)
{
    (void)fd;
    return fopen("", mode);
}
