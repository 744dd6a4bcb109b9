/* POSIX: 0, or -1 with errno set. path is a string. */
#include "belay.h"

int mkfifo(const char *path, mode_t mode)
{
    strlen(path);
    (void)mode;
    return belay_attempt();
}
