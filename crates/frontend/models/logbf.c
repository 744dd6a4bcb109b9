/* C17 7.12.6.11: the exponent of x; minus infinity with ERANGE for zero, infinity for infinite x. */
#define SINGLE
#include "logb.c"
