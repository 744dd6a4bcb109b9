/* POSIX: copy, or -1 with errno set. */
#include "belay.h"

int dup2(int fd, int copy)
{
    belay_forget_terminals();
    (void)fd;
    __belay_input.begun = 0;
    return __VERIFIER_nondet_bool() ? belay_failure() : copy;
}
