/* The bits of the nearest float. */
#include "x87.h"

BELAY_X87(unsigned int, __belay_x87_to_float, (belay_bits a), (unsigned int)belay_x87_narrow(a, 24, 32))
