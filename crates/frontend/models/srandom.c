/* POSIX: srand, whose numbers random shares in glibc. */
#include "belay.h"

void srandom(unsigned int seed)
{
    belay_seed(&__belay_seeds, seed);
}
