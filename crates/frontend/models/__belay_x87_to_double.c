/* The bits of the nearest double. */
#include "x87.h"

BELAY_X87(unsigned long, __belay_x87_to_double, (belay_bits a), belay_x87_narrow(a, 53, 64))
