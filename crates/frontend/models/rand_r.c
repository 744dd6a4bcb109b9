/* POSIX.1-2001: any number in [0, RAND_MAX]; the seed becomes any number. */
#include "belay.h"

int rand_r(unsigned int *seed)
{
    *seed = __VERIFIER_nondet_uint();
    return belay_int_between(0, RAND_MAX);
}
