/* C17 7.12.6.4: x as a fraction in [0.5, 1) and a power of two in *exponent (0 for zero, infinite and nan). exponent points
 * to an int. */
#define SINGLE
#include "frexp.c"
