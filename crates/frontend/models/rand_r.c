/* POSIX.1-2001: any number in [0, RAND_MAX]; the seed becomes any number. Both follow from the seed, which is more than proofs know: no violation rests on it. */
#include "belay.h"

int rand_r(unsigned int *seed)
{
    __belay_approximate("rand_r");
    *seed = __VERIFIER_nondet_uint();
    return belay_int_between(0, RAND_MAX);
}
