/* POSIX: 0, or -1 with errno set. */
#include "belay.h"

int seteuid(uid_t id)
{
    (void)id;
    return belay_set_id();
}
