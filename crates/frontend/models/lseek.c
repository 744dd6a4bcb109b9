/* POSIX: any position, or -1 with errno set. What a second call gives is more than the library does: no violation rests on it. */
#include "belay.h"

off_t lseek(int fd, off_t offset, int whence)
{
    (void)fd;
    __belay_input.begun = 0;
    (void)offset;
    (void)whence;
    static _Bool told;
    if (told)
        __belay_approximate("where a descriptor is, is not remembered");
    told = 1;
    off_t position = __VERIFIER_nondet_long();
    __VERIFIER_assume(position >= -1);
    return position == -1 ? belay_failure() : position;
}
