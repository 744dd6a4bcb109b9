/* The seeds that srand and srandom were given. */
#include "belay.h"

struct belay_seeds __belay_seeds;
