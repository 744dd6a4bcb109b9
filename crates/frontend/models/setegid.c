/* POSIX: 0, or -1 with errno set. */
#include "belay.h"

int setegid(uid_t id)
{
    (void)id;
    return belay_set_id();
}
