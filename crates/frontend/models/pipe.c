/* POSIX: two descriptors into fds, or -1 with errno set. fds has two elements. */
#include "belay.h"

int pipe(int fds[2])
{
    if (__VERIFIER_nondet_bool())
        return belay_failure();
    __belay_input.begun = 0;
    fds[0] = belay_int_between(0, INT_MAX);
    fds[1] = belay_int_between(0, INT_MAX);
    return 0;
}
