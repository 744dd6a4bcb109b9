/* POSIX: any number; the same at each call, unless the program sets it. */
#include "belay.h"

uid_t getuid(void)
{
    return belay_id(BELAY_UID);
}
