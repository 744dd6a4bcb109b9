/* An integer as a long double: exact, as it has at most 64 bits. */
#include "x87.h"

BELAY_X87(belay_bits, __belay_x87_from_unsigned, (unsigned long n), n == 0 ? 0 : belay_x87_give(0, n, 0))
