/* A long double without its fraction, between two bounds. */
#include "x87.h"

BELAY_X87(unsigned long, __belay_x87_to_integer, (belay_bits a, unsigned long most, unsigned long least), belay_x87_whole(a, most, least))
