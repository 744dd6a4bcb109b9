/* The quotient of two long doubles. */
#include "x87.h"

BELAY_X87(belay_bits, __belay_x87_div, (belay_bits a, belay_bits b), belay_x87_quotient(a, b))
