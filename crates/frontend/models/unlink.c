/* POSIX: 0, or -1 with errno set. path is a string. */
#include "belay.h"

int unlink(const char *path)
{
    strlen(path);
    return belay_attempt();
}
