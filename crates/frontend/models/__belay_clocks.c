/* What the clocks showed last. */
#include "belay.h"

struct belay_clocks __belay_clocks;
