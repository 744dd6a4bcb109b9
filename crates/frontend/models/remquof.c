/* C17 7.12.10.3: remainderf, exactly; *quotient has the sign of x / y and the last three bits of its magnitude, to nearest. quotient points to an
 * int; it is written only where there is a quotient. */
#define SINGLE
#include "remquo.c"
