/* How two long doubles compare: -1, 0, 1, or 2 if they have no order. */
#include "x87.h"

BELAY_X87(int, __belay_x87_order, (belay_bits a, belay_bits b), belay_x87_order(a, b))
