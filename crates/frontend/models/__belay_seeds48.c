/* The seeds that srand48 was given. */
#include "belay.h"

struct belay_seeds __belay_seeds48;
