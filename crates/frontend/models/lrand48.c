/* POSIX: any number in [0, 2^31 - 1]. */
#include "belay.h"

long lrand48(void)
{
    __belay_seeds48.drawn = 1;
    return belay_int_between(0, RAND_MAX);
}
