/* POSIX: 0, or -1 with errno set. path is a string. */
#include "belay.h"

int access(const char *path, int mode)
{
    strlen(path);
    (void)mode;
    return belay_attempt();
}
