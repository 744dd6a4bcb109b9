/* C17 7.12.6.12: the whole part to *whole, the fraction as result, both with the sign of x. whole points to a float. */
#define SINGLE
#include "modf.c"
