/* C17 7.12.6.5: the exponent of x as an int; INT_MIN with EDOM for zero and nan, INT_MAX with EDOM for infinite x. */
#define SINGLE
#include "ilogb.c"
