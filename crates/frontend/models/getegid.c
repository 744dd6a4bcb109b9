/* POSIX: any number; the same at each call, unless the program sets it. */
#include "belay.h"

uid_t getegid(void)
{
    return belay_id(BELAY_EGID);
}
