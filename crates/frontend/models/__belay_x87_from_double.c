/* A double, by its bits, as a long double. */
#include "x87.h"

BELAY_X87(belay_bits, __belay_x87_from_double, (unsigned long bits), belay_x87_widen(bits))
