/* The difference of two long doubles. A NaN keeps its sign. */
#include "x87.h"

BELAY_X87(belay_bits, __belay_x87_sub, (belay_bits a, belay_bits b), belay_x87_sum(a, belay_x87_take(b).kind == BELAY_NAN ? b : b ^ (belay_bits)1 << 79))
