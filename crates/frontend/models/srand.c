/* C17 7.22.2.2: begins the numbers of a seed. What they are is open; runs that use a seed again are not followed, since its numbers come again. */
#include "belay.h"

void srand(unsigned int seed)
{
    belay_seed(&__belay_seeds, seed);
}
