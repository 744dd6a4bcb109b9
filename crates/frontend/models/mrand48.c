/* POSIX: any number in [-2^31, 2^31 - 1]. */
#include "belay.h"

long mrand48(void)
{
    return __VERIFIER_nondet_int();
}
