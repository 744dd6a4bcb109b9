/* POSIX: any position, or -1 with errno set. */
#include "belay.h"

off_t lseek(int fd, off_t offset, int whence)
{
    (void)fd;
    (void)offset;
    (void)whence;
    off_t position = __VERIFIER_nondet_long();
    __VERIFIER_assume(position >= -1);
    return position == -1 ? belay_failure() : position;
}
