/* C17 7.21.4.2: 0, or -1 with errno set. Both are strings. */
#include "belay.h"

int rename(const char *from, const char *to)
{
    strlen(from);
    strlen(to);
    return belay_attempt();
}
