/* C17 7.21.4.1: 0, or -1 with errno set. path is a string. */
#include "belay.h"

int remove(const char *path)
{
    strlen(path);
    return belay_attempt();
}
