/* POSIX: any number in [-2^31, 2^31 - 1]. */
#include "belay.h"

long mrand48(void)
{
    __belay_seeds48.drawn = 1;
    return __VERIFIER_nondet_int();
}
