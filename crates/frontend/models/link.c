/* POSIX: 0, or -1 with errno set. Both are strings. */
#include "belay.h"

int link(const char *from, const char *to)
{
    strlen(from);
    strlen(to);
    return belay_attempt();
}
