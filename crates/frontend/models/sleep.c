/* POSIX: 0; or, if a signal came, what was left, at most what was asked for: no violation rests on that. */
#include "belay.h"

unsigned int sleep(unsigned int seconds)
{
    if (!belay_otherwise("a signal interrupts sleep"))
        return 0;
    unsigned int left = __VERIFIER_nondet_uint();
    __VERIFIER_assume(left <= seconds);
    return left;
}
