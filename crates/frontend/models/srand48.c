/* POSIX: begins the numbers of a seed, as srand does. */
#include "belay.h"

void srand48(long seed)
{
    belay_seed(&__belay_seeds48, (unsigned long)seed);
}
