/* POSIX: any number in [0, 2^31 - 1]. */
#include "belay.h"

long random(void)
{
    __belay_seeds.drawn = 1;
    return belay_int_between(0, RAND_MAX);
}
