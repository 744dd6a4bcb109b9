/* The sum of two long doubles. */
#include "x87.h"

BELAY_X87(belay_bits, __belay_x87_add, (belay_bits a, belay_bits b), belay_x87_sum(a, b))
